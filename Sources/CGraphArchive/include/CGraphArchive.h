// CGraphArchive: the bytes of a GraphCodable archive.
//
// What it does not do: it knows no Swift type, keeps no state between calls but whether the system has large pages, owns no buffer of
// the caller, starts no thread and never calls back. Every function works on memory that the caller owns and returns
// a status; what the numbers mean in Swift is decided in one place there.
//
// Hostile input: the readers (`gca_get_*`, `gca_block_expand`) never read outside [cursor, end) or
// [src, src + count) for their result and never write outside [dst, dst + capacity). The writers
// (`gca_put_*`) do not check for room: the caller has asked `gca_writer_reserve` or holds the slack.
//
// Byte order is little-endian; a big-endian target is refused at compile time.

#ifndef CGRAPHARCHIVE_H
#define CGRAPHARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "CCallStack.h"  // What works on the graph stream recurses, and looks how much stack is left.
#include "CGraphArchiveFilters.h"
#include "CGraphArchiveParity.h"
#include "CGraphArchiveProcesses.h"
#include "CGraphArchiveSearch.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "CGraphArchive writes its integers as they lie in memory and needs a little-endian target"
#endif

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Status

/// What a function answers: 0, or one of these numbers. The numbers are pinned, in groups of ten.
typedef enum gca_status {
    GCA_OK = 0,

    GCA_NO_MEMORY = 10,       ///< An allocation failed.

    GCA_TRUNCATED = 20,       ///< The input ends inside a value.
    GCA_BAD_BLOCK = 21,       ///< Stored bytes do not expand to exactly the raw byte count.
    GCA_BAD_CODEC = 22,       ///< A codec or filter number this version does not know.

    GCA_FILE_OPEN = 30,       ///< errno says why; so for all of this group.
    GCA_FILE_READ = 31,
    GCA_FILE_WRITE = 32,
    GCA_FILE_SYNC = 33,
    GCA_FILE_RENAME = 34,
    GCA_FILE_SHORT = 35,      ///< The file ended before the bytes that were asked for.
    GCA_FILE_LOCKED = 36,     ///< Another process or descriptor has the lock.
    GCA_FILE_NO_LOCKS = 37,   ///< The file system has no locks.
    GCA_FILE_EXISTS = 38,     ///< There is a file of this name.
} gca_status;

// MARK: Writing a graph stream

/// Bytes that may be written behind `limit` without asking for room: what the widest single put needs
/// (16-byte values), and what the widest store beyond a put's own bytes touches.
#define GCA_SLACK 32

/// A growing byte buffer. While `cursor <= limit`, `GCA_SLACK` bytes may be put at `cursor`.
typedef struct gca_writer {
    uint8_t *cursor;  ///< Where the next byte goes; above `limit` when there is no room.
    uint8_t *limit;   ///< End of the allocation less `GCA_SLACK`.
    uint8_t *base;    ///< Start of the allocation (`malloc`), NULL before the first reserve.
} gca_writer;

/// Makes room for `byteCount` bytes at the cursor plus the slack; the bytes so far keep their offsets,
/// not their addresses. The allocation at least doubles, so that appending is linear in all.
/// On GCA_NO_MEMORY nothing has changed.
gca_status gca_writer_reserve(gca_writer *writer, size_t byteCount);

/// Frees the allocation and leaves an empty writer, which is full.
void gca_writer_free(gca_writer *writer);

static inline size_t gca_writer_count(const gca_writer *writer) {
    return (uintptr_t)writer->cursor - (uintptr_t)writer->base;
}

/// Bytes of the allocation.
static inline size_t gca_writer_capacity(const gca_writer *writer) {
    return writer->base == NULL ? 0 : (size_t)(writer->limit - writer->base) + GCA_SLACK;
}

/// Forgets what was put, and keeps the allocation.
static inline void gca_writer_clear(gca_writer *writer) {
    if (writer->base != NULL) writer->cursor = writer->base;
}

/// A writer without memory, which counts as full: its limit is below its cursor.
static inline gca_writer gca_writer_empty(void) {
    return (gca_writer){.cursor = NULL, .limit = (uint8_t *)(intptr_t)-1, .base = NULL};
}

/// Whether `byteCount` bytes, not negative, and `GCA_SLACK` more can be put without asking for room.
static inline bool gca_writer_has_room(const gca_writer *writer, ptrdiff_t byteCount) {
    return (intptr_t)writer->limit - (intptr_t)writer->cursor >= byteCount;
}

static inline void gca_put_u8(gca_writer *writer, uint8_t value) {
    *writer->cursor++ = value;
}

static inline void gca_put_u16(gca_writer *writer, uint16_t value) {
    memcpy(writer->cursor, &value, sizeof value);
    writer->cursor += sizeof value;
}

static inline void gca_put_u32(gca_writer *writer, uint32_t value) {
    memcpy(writer->cursor, &value, sizeof value);
    writer->cursor += sizeof value;
}

static inline void gca_put_u64(gca_writer *writer, uint64_t value) {
    memcpy(writer->cursor, &value, sizeof value);
    writer->cursor += sizeof value;
}

/// Puts `byteCount` bytes; room for them must have been reserved.
static inline void gca_put_bytes(gca_writer *writer, const void *bytes, size_t byteCount) {
    if (byteCount != 0) memcpy(writer->cursor, bytes, byteCount);
    writer->cursor += byteCount;
}

/// How many bytes `gca_put_varint` takes for a value: 1 to 9.
static inline unsigned gca_varint_size(uint64_t value) {
    unsigned bits = 64u - (unsigned)__builtin_clzll(value | 1u);
    return bits > 56 ? 9 : (bits + 6) / 7;
}

/// Writes a prefix varint at `dst` and returns its size; touches at most 9 bytes.
///
/// n bytes hold 7n bits: the value stands above n - 1 zero bits and a one bit, little-endian, so the
/// length is known from the first byte alone and neither side loops. From 57 bits on: a zero byte, then
/// the value as 8 bytes.
static inline unsigned gca_varint_write(uint8_t *dst, uint64_t value) {
    unsigned size = gca_varint_size(value);
    if (__builtin_expect(size < 9, 1)) {
        uint64_t word = ((value << 1) | 1u) << (size - 1);
        memcpy(dst, &word, sizeof word);
    } else {
        *dst = 0;
        memcpy(dst + 1, &value, sizeof value);
    }
    return size;
}

static inline void gca_put_varint(gca_writer *writer, uint64_t value) {
    writer->cursor += gca_varint_write(writer->cursor, value);
}

/// A signed integer as a varint, small magnitudes first: 0, -1, 1, -2, …
static inline uint64_t gca_zigzag(int64_t value) {
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t gca_unzigzag(uint64_t value) {
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/// How a field of a struct goes into a message.
typedef enum gca_number_kind {
    GCA_NUMBER_INT64 = 0,   ///< As a varint of `gca_zigzag`.
    GCA_NUMBER_UINT64 = 1,  ///< As a varint.
    GCA_NUMBER_INT32 = 2,
    GCA_NUMBER_UINT32 = 3,
    GCA_NUMBER_1 = 4,       ///< As its bytes, of which there are so many.
    GCA_NUMBER_4 = 5,
    GCA_NUMBER_8 = 6,
    GCA_NUMBER_END = 7,     ///< Behind the last field.
} gca_number_kind;

typedef struct gca_number_field {
    uint32_t kind;
    uint32_t offset;  ///< From the start of the struct; any alignment.
} gca_number_field;

/// What precedes the fields of each message, behind the byte of its length.
typedef struct gca_message_head {
    uint8_t bytes[8];
    size_t byteCount;  ///< At most 7.
} gca_message_head;

/// The most bytes of a message whose length takes one byte.
#define GCA_SHORT_MESSAGE 127

/// Puts structs of numbers as messages: for each a byte with its length, the head, and the fields in order.
///
/// Ends with the message that reaches `byteCount` bytes in all, if not before, and returns how many messages there are. Room for
/// `byteCount` bytes and one message has been reserved. No message has more than `GCA_SHORT_MESSAGE` bytes behind its
/// length, whatever the numbers are; `fields` end with GCA_NUMBER_END.
size_t gca_put_messages(gca_writer *writer, const void *structs, size_t stride, size_t count,
                        const gca_number_field *fields, gca_message_head head, size_t byteCount);

// MARK: Reading a graph stream

/// A cursor over bytes of the caller. `fast` is the last address from which 16 bytes may be loaded.
typedef struct gca_reader {
    const uint8_t *cursor;
    const uint8_t *fast;
    const uint8_t *end;
    const uint8_t *base;
} gca_reader;

/// Sets how many bytes there are from the base on; the cursor stays where it is, which is not behind them.
static inline void gca_reader_set_count(gca_reader *reader, size_t byteCount) {
    reader->end = reader->base + byteCount;
    // A stream shorter than 16 bytes has no fast part: `fast` then lies before every cursor.
    reader->fast = byteCount >= 16 ? reader->base + byteCount - 16 : NULL;
}

static inline void gca_reader_init(gca_reader *reader, const uint8_t *bytes, size_t byteCount) {
    // An empty buffer of Swift has no address, and a cursor at NULL would not lie behind `fast`.
    static const uint8_t nothing = 0;
    if (bytes == NULL) bytes = &nothing;
    reader->base = bytes;
    reader->cursor = bytes;
    gca_reader_set_count(reader, byteCount);
}

static inline size_t gca_reader_left(const gca_reader *reader) {
    return (size_t)(reader->end - reader->cursor);
}

/// Whether 16 bytes may be loaded at the cursor: enough for any of the `gca_take_*`.
static inline bool gca_reader_is_fast(const gca_reader *reader) { return reader->cursor <= reader->fast; }

/// Whether `byteCount` bytes are left.
static inline bool gca_reader_has(const gca_reader *reader, size_t byteCount) {
    return gca_reader_left(reader) >= byteCount;
}

// The `gca_take_*` check nothing: the caller has asked `gca_reader_has` or `gca_reader_is_fast`.

/// Takes a prefix varint; `gca_reader_is_fast` holds.
__attribute__((always_inline)) static inline uint64_t gca_take_varint(gca_reader *reader) {
    uint64_t word;
    memcpy(&word, reader->cursor, sizeof word);
    if (__builtin_expect((word & 0xff) == 0, 0)) {
        memcpy(&word, reader->cursor + 1, sizeof word);
        reader->cursor += 9;
        return word;
    }
    unsigned size = (unsigned)__builtin_ctzll(word) + 1;
    reader->cursor += size;
    return (word << (64 - 8 * size)) >> (64 - 7 * size);
}

static inline uint8_t gca_take_u8(gca_reader *reader) { return *reader->cursor++; }

static inline uint32_t gca_take_u32(gca_reader *reader) {
    uint32_t value;
    memcpy(&value, reader->cursor, sizeof value);
    reader->cursor += sizeof value;
    return value;
}

static inline uint64_t gca_take_u64(gca_reader *reader) {
    uint64_t value;
    memcpy(&value, reader->cursor, sizeof value);
    reader->cursor += sizeof value;
    return value;
}

/// The careful form of `gca_get_varint`, for the last 16 bytes.
bool gca_get_varint_near_end(gca_reader *reader, uint64_t *value);

/// Reads a prefix varint; false, and the cursor where it was, when the input ends inside it.
static inline bool gca_get_varint(gca_reader *reader, uint64_t *value) {
    if (__builtin_expect(!gca_reader_is_fast(reader), 0)) return gca_get_varint_near_end(reader, value);
    *value = gca_take_varint(reader);
    return true;
}

static inline bool gca_get_u8(gca_reader *reader, uint8_t *value) {
    if (__builtin_expect(reader->cursor >= reader->end, 0)) return false;
    *value = *reader->cursor++;
    return true;
}

static inline bool gca_get_u16(gca_reader *reader, uint16_t *value) {
    if (__builtin_expect(gca_reader_left(reader) < sizeof *value, 0)) return false;
    memcpy(value, reader->cursor, sizeof *value);
    reader->cursor += sizeof *value;
    return true;
}

static inline bool gca_get_u32(gca_reader *reader, uint32_t *value) {
    if (__builtin_expect(gca_reader_left(reader) < sizeof *value, 0)) return false;
    memcpy(value, reader->cursor, sizeof *value);
    reader->cursor += sizeof *value;
    return true;
}

static inline bool gca_get_u64(gca_reader *reader, uint64_t *value) {
    if (__builtin_expect(gca_reader_left(reader) < sizeof *value, 0)) return false;
    memcpy(value, reader->cursor, sizeof *value);
    reader->cursor += sizeof *value;
    return true;
}

/// Moves over `byteCount` bytes and points at them; false when fewer are left.
static inline bool gca_get_bytes(gca_reader *reader, size_t byteCount, const uint8_t **bytes) {
    if (__builtin_expect(gca_reader_left(reader) < byteCount, 0)) return false;
    *bytes = reader->cursor;
    reader->cursor += byteCount;
    return true;
}

/// Whether all bytes are below 0x80; true for none.
bool gca_is_ascii(const void *bytes, size_t byteCount);

/// Brings the cache line of an address closer, which need not be one that may be read.
static inline void gca_prefetch(const void *address) { __builtin_prefetch(address); }

// MARK: Checksums

/// 128 bits of XXH3, low half first, as the archive stores them.
typedef struct gca_hash128 {
    uint64_t low;
    uint64_t high;
} gca_hash128;

/// XXH3-64 with seed 0 (https://xxhash.com, XXH3_64bits). `bytes` may be NULL when `byteCount` is 0.
uint64_t gca_hash64_bytes(const void *bytes, size_t byteCount);

/// XXH3-128 with seed 0 (XXH3_128bits).
gca_hash128 gca_hash128_bytes(const void *bytes, size_t byteCount);

// MARK: Blocks

/// How a block's bytes are stored. The numbers are part of the format.
typedef enum gca_codec {
    GCA_CODEC_STORED = 0,  ///< As they are.
    GCA_CODEC_LZ4 = 1,     ///< One LZ4 block (lz4_Block_format.md); LZ4-HC writes the same.
    GCA_CODEC_NUMBERS = 2, ///< Numbers by predictors and bins, for `gca_numbers_expand` with their width.
} gca_codec;

/// The largest raw block: 4 MiB. LZ4's own limit is far above it.
#define GCA_BLOCK_MAX ((size_t)1 << 22)

/// A level for bit planes: as fast as they allow. Its results depend on no library.
#define GCA_LEVEL_PLANES (-1)

/// Compresses `srcCount` bytes (1 to GCA_BLOCK_MAX) into `dst` and sets `*storedCount`.
///
/// `level` 0 is LZ4's fast compressor, 1 to 12 are LZ4-HC's levels, and GCA_LEVEL_PLANES is for the planes of a bit
/// shuffle. When the result would not be smaller than the source, nothing useful is in `dst`, `*storedCount` is 0, and
/// the block is to be stored.
/// `dstCapacity` need not be larger than `srcCount`.
gca_status gca_block_compress(uint8_t *dst, size_t dstCapacity, const uint8_t *src, size_t srcCount,
                              int level, size_t *storedCount);

/// Expands `srcCount` stored bytes into exactly `rawCount` bytes at `dst`.
///
/// GCA_BAD_BLOCK when they do not come out as exactly that many, GCA_BAD_CODEC for an unknown codec and GCA_CODEC_NUMBERS; what
/// `dst` holds is then undefined, but nothing behind `dst + rawCount` was touched.
gca_status gca_block_expand(uint8_t *dst, size_t rawCount, const uint8_t *src, size_t srcCount,
                            gca_codec codec);

/// Expands `srcCount` stored bytes of a block of `byteCount`, and undoes the filters.
///
/// `spare` and `expanded` have as many bytes as `dst`, and no two of the four overlap; what they hold then is undefined, and what `dst`
/// does if the block is refused. The result is that of `gca_block_expand` and
/// `gca_filters_undo`, but what is stored uncompressed may be read where it lies.
gca_status gca_block_restore(uint8_t *dst, uint8_t *spare, uint8_t *expanded, size_t byteCount, const uint8_t *src,
                             size_t srcCount, gca_codec codec, const gca_filter *filters, size_t count,
                             gca_memory_use use, gca_vectors vectors);

// MARK: Padding

/// Writes `byteCount` bytes of elements without their padding to `dst`, from packed byte `offset` on.
///
/// `src` is the first element, whether or not it is among them. Elements have `size` bytes, at least 1, and stand
/// every `stride` bytes, at least `size`.
void gca_pack(uint8_t *dst, const uint8_t *src, size_t offset, size_t byteCount, size_t size, size_t stride);

/// Undoes `gca_pack`; `dst` is the first element. The padding behind each element whose last byte is written
/// becomes zero. Threads may write different parts at once.
void gca_unpack(uint8_t *dst, const uint8_t *src, size_t offset, size_t byteCount, size_t size, size_t stride);

// MARK: Memory

/// Puts `object` into a place that threads share, and returns what was in it. What its owner has written to either
/// is seen by the thread that gets it.
static inline void *gca_exchange(void **place, void *object) {
    return __atomic_exchange_n(place, object, __ATOMIC_ACQ_REL);
}

/// Asks the system for large pages where memory has not been touched yet: that all of it will be filled soon.
///
/// A hint, and without an effect for less than 4 MiB and on systems without such pages. The bytes are as before.
void gca_memory_expect_fill(void *start, size_t byteCount);

/// How many bytes to ask `malloc` for in place of `byteCount`, so that it maps whole large pages and the system begins them where
/// the memory begins: at most a sixteenth more, and `byteCount` where that does not suffice.
size_t gca_memory_whole_pages(size_t byteCount);

/// `gca_memory_expect_fill` for memory that `malloc` has just made, which has written to the first page: of 16 MiB or more the first
/// page becomes a large one at once.
void gca_memory_expect_array(void *start, size_t byteCount);

/// Has the system make the large pages that begin in bytes `from` to `to` of such memory, `byteCount` at most, which are written next.
///
/// A hint, too. Whoever writes the first byte of a large page has it made as well, but on an AMD EPYC of the fourth generation that
/// takes twice as long. The bytes are as before, and other threads may be writing to them.
void gca_memory_make_pages(void *start, size_t byteCount, size_t from, size_t to);

/// Whether large pages are requested at present.
///
/// Where a virtual machine has to get memory from its host, or where memory is in pieces, a large page can take milliseconds, and small
/// pages in memory that is there do not. So `gca_memory_make_pages` measures each one, and stops for 1 GiB where all together have taken
/// 5 ms more than small ones would have.
bool gca_memory_large_pages_pay(void);

/// What `gca_memory_make_pages` counts: a large page that has taken so long, and small pages in place of so many large ones.
void gca_memory_count_large_page(int64_t nanoseconds);
void gca_memory_count_small_pages(size_t largePageCount);

/// Whether the system would give the process this many more bytes at the moment.
///
/// For callers that cannot handle a failed allocation. Another thread may take them meanwhile, and a system that promises
/// more than it has says yes.
bool gca_memory_has_room(size_t byteCount);

// MARK: Files

/// An open file.
typedef struct gca_file {
    int descriptor;  ///< -1 when not open.
} gca_file;

/// A piece of memory to write.
typedef struct gca_piece {
    const void *bytes;
    size_t byteCount;
} gca_piece;

/// Takes the advisory lock of an open file (flock), which it has until it is closed or its process ends. Waits for
/// whoever has the lock, or answers GCA_FILE_LOCKED.
gca_status gca_file_lock(gca_file file, bool waits);

/// Gives the lock of an open file back, if it has it.
void gca_file_unlock(gca_file file);

/// Makes a file of some bytes unless there is one of that name: GCA_FILE_EXISTS. It is there with all of its bytes,
/// except on file systems without links. `temporaryPath` is a new name in the same folder.
gca_status gca_file_make_exclusive(const char *temporaryPath, const char *path, const void *bytes,
                                   size_t byteCount);

// A file that appears under its name only when it is whole: created, written, synced, published.

/// The bytes of the longest name that `gca_temporary_name` writes, with the zero at its end, for a suffix of 32.
#define GCA_TEMPORARY_NAME_MAX 192

/// Writes the name of a temporary file of a process: a dot, what tells the process, a number that no other has, and
/// `suffix`.
void gca_temporary_name(char name[GCA_TEMPORARY_NAME_MAX], const gca_process *process, uint64_t number,
                        const char *suffix);

/// Creates a new, empty file at `temporaryPath` for writing (it must not exist), with the permissions of
/// `permissions` less the process's mask. Until it is closed it has an advisory lock, which tells
/// `gca_file_remove_abandoned` that it is being written; not so on file systems without locks.
gca_status gca_file_create(gca_file *file, const char *temporaryPath, uint32_t permissions);

/// Gives a file permissions without regard to the process's mask, unless it has them already. GCA_FILE_OPEN if that
/// is not allowed.
gca_status gca_file_set_permissions(gca_file file, uint32_t permissions);

/// Gives a file an owner and a group, as far as this process may: without the right to give files away the group alone, if
/// it is one of its own. What is not allowed stays as it is, and errno, too.
void gca_file_set_owner(gca_file file, uint32_t user, uint32_t group);

/// Removes the files of a folder with names of `gca_temporary_name`, whose processes ran on the host of `here` and have
/// ended, and that are not locked. Those that cannot be removed stay, without an error.
void gca_file_remove_abandoned(const char *folder, const char *suffix, const gca_process *here);

/// Opens a file for reading and sets its size in bytes. Folders and devices are refused (EINVAL).
gca_status gca_file_open(gca_file *file, const char *path, uint64_t *byteCount);

/// Writes all pieces, one behind the other from `offset` on, however the system splits them. Changes `pieces`.
/// Several threads may write to different places of a file at once.
gca_status gca_file_write(gca_file file, gca_piece *pieces, size_t pieceCount, uint64_t offset);

/// Reads exactly `byteCount` bytes from `offset`; GCA_FILE_SHORT when the file ends before. Several threads may
/// read at once.
gca_status gca_file_read(gca_file file, void *bytes, size_t byteCount, uint64_t offset);

/// A part of a file that is mapped into memory, for reading.
typedef struct gca_mapping {
    const void *bytes;  ///< What was asked for.
    void *start;        ///< The page in which it begins.
    size_t byteCount;   ///< From there on.
} gca_mapping;

/// Maps `byteCount` bytes, at least 1, from `offset` on; GCA_FILE_SHORT when the file ends before. Should it become
/// shorter while it is mapped, the process gets SIGBUS where it reads what is gone.
gca_status gca_file_map(gca_file file, uint64_t offset, size_t byteCount, gca_mapping *mapping);

/// Ends a mapping.
void gca_file_unmap(gca_mapping *mapping);

/// Waits until the file's bytes are on the device.
gca_status gca_file_sync(gca_file *file);

/// Gives a file its name, replacing what had it, and waits until the folder says so. The file is still open, so
/// that it has its lock while it has the temporary name.
/// After GCA_FILE_OPEN and GCA_FILE_RENAME the old file is as it was and the temporary one is still there;
/// after GCA_FILE_SYNC the new file is in place, but a crash of the system may still undo that.
gca_status gca_file_publish(const char *temporaryPath, const char *path, const char *folder);

// A file that grows at its end.

/// Opens a file for reading and writing, or creates it with the permissions of `permissions` less the process's mask,
/// and locks it. GCA_FILE_LOCKED if another process has it open in this way, except on file systems without locks.
/// Folders and devices are refused, links if they are not followed (ELOOP), and a file that is replaced again and again
/// meanwhile (ESTALE).
gca_status gca_file_open_append(gca_file *file, const char *path, uint32_t permissions, bool followsLink);

/// Sets the size of an open file in bytes.
gca_status gca_file_size(gca_file file, uint64_t *byteCount);

/// Sets whether the file at `path`, with links followed, is the open one: not if it was moved, removed or replaced.
gca_status gca_file_is_at(gca_file file, const char *path, bool *isAt);

/// Cuts a file to `byteCount` bytes.
gca_status gca_file_truncate(gca_file file, uint64_t byteCount);

/// Opens a folder, which can be locked and compared with what has its name like a file.
gca_status gca_folder_open(gca_file *directory, const char *folder);

/// Waits until a folder's names are on the device.
gca_status gca_folder_sync(const char *folder);

/// Closes the file if it is open.
void gca_file_close(gca_file *file);

#ifdef __cplusplus
}
#endif

// It needs the status above.
#include "CGraphArchiveNumbers.h"

#endif
