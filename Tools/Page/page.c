#include "CGraphPage.h"

// A file that is missing ends the build; one that has changed is compiled again.

#define RESOURCE(name) ((GCPResource){name, sizeof name})

static const unsigned char page[] = {
#embed "page.html"
};

static const unsigned char style[] = {
#embed "page.css"
};

// The script of the page.

static const unsigned char text[] = {
#embed "View/text.js"
};

static const unsigned char element[] = {
#embed "View/element.js"
};

static const unsigned char canvas[] = {
#embed "View/canvas.js"
};

static const unsigned char charts[] = {
#embed "View/charts.js"
};

static const unsigned char scatter[] = {
#embed "View/scatter.js"
};

static const unsigned char table[] = {
#embed "View/table.js"
};

static const unsigned char preview[] = {
#embed "View/preview.js"
};

static const unsigned char objects[] = {
#embed "View/objects.js"
};

static const unsigned char tree[] = {
#embed "View/tree.js"
};

static const unsigned char treemap[] = {
#embed "View/treemap.js"
};

static const unsigned char blocks[] = {
#embed "View/blocks.js"
};

static const unsigned char series[] = {
#embed "View/series.js"
};

static const unsigned char damage[] = {
#embed "View/damage.js"
};

static const unsigned char opening[] = {
#embed "View/opening.js"
};

static const unsigned char reader_client[] = {
#embed "View/reader.js"
};

static const unsigned char main_script[] = {
#embed "View/main.js"
};

// The script of its worker, which reads files.

static const unsigned char bytes[] = {
#embed "Reader/bytes.js"
};

static const unsigned char sources[] = {
#embed "Reader/sources.js"
};

static const unsigned char formats[] = {
#embed "Reader/formats.js"
};

static const unsigned char kinds[] = {
#embed "Reader/kinds.js"
};

static const unsigned char scalars[] = {
#embed "Reader/scalars.js"
};

static const unsigned char xxh3[] = {
#embed "Reader/xxh3.js"
};

static const unsigned char lz4[] = {
#embed "Reader/lz4.js"
};

static const unsigned char number_blocks[] = {
#embed "Reader/numbers.js"
};

static const unsigned char filters[] = {
#embed "Reader/filters.js"
};

static const unsigned char segment[] = {
#embed "Reader/segment.js"
};

static const unsigned char contents[] = {
#embed "Reader/contents.js"
};

static const unsigned char stream[] = {
#embed "Reader/stream.js"
};

static const unsigned char archive[] = {
#embed "Reader/archive.js"
};

static const unsigned char pieces[] = {
#embed "Reader/pieces.js"
};

static const unsigned char series_reader[] = {
#embed "Reader/series.js"
};

static const unsigned char texts[] = {
#embed "Report/texts.js"
};

static const unsigned char graph[] = {
#embed "Report/graph.js"
};

static const unsigned char items[] = {
#embed "Report/items.js"
};

static const unsigned char numbers[] = {
#embed "Report/numbers.js"
};

static const unsigned char value_tree[] = {
#embed "Report/tree.js"
};

static const unsigned char array_preview[] = {
#embed "Report/preview.js"
};

static const unsigned char statistics[] = {
#embed "Report/statistics.js"
};

static const unsigned char information[] = {
#embed "Report/information.js"
};

static const unsigned char verification[] = {
#embed "Report/verification.js"
};

static const unsigned char file[] = {
#embed "Report/file.js"
};

static const unsigned char worker[] = {
#embed "Report/worker.js"
};

static const GCPResource view_modules[] = {
    RESOURCE(text), RESOURCE(element), RESOURCE(canvas), RESOURCE(charts), RESOURCE(scatter), RESOURCE(table),
    RESOURCE(preview), RESOURCE(objects), RESOURCE(tree), RESOURCE(treemap), RESOURCE(blocks), RESOURCE(series),
    RESOURCE(damage), RESOURCE(opening), RESOURCE(reader_client), RESOURCE(main_script),
};

static const GCPResource reader_modules[] = {
    RESOURCE(bytes), RESOURCE(sources), RESOURCE(formats), RESOURCE(kinds), RESOURCE(scalars), RESOURCE(xxh3),
    RESOURCE(lz4), RESOURCE(number_blocks), RESOURCE(filters), RESOURCE(segment), RESOURCE(contents), RESOURCE(stream), RESOURCE(archive),
    RESOURCE(pieces), RESOURCE(series_reader), RESOURCE(texts), RESOURCE(graph), RESOURCE(items),
    RESOURCE(numbers), RESOURCE(value_tree), RESOURCE(array_preview), RESOURCE(statistics), RESOURCE(information),
    RESOURCE(verification), RESOURCE(file), RESOURCE(worker),
};

GCPResource gcp_page(void) { return RESOURCE(page); }

GCPResource gcp_style(void) { return RESOURCE(style); }

ptrdiff_t gcp_view_count(void) { return sizeof view_modules / sizeof view_modules[0]; }

GCPResource gcp_view(ptrdiff_t number) { return view_modules[number]; }

ptrdiff_t gcp_reader_count(void) { return sizeof reader_modules / sizeof reader_modules[0]; }

GCPResource gcp_reader(ptrdiff_t number) { return reader_modules[number]; }
