import CGraphArchive
import Testing

/// The values are those of xxHash's own reference implementation (`xxhsum -H3`, `xxhsum -H2`).
@Suite("Hashes")
struct HashTests {
  @Test func theHashOfNothingIsTheReferenceValue() {
    #expect(gca_hash64_bytes(nil, 0) == 0x2D06_8005_38D3_94C2)
    let wide = gca_hash128_bytes(nil, 0)
    #expect(wide.low == 0x6001_C324_468D_497F)
    #expect(wide.high == 0x99AA_06D3_0147_98D8)
  }

  @Test func theHashOfEveryLengthClassIsTheReferenceValue() {
    // The test pattern of xxHash's own sanity check.
    var generator: UInt64 = 2_654_435_761
    let bytes = (0..<5000).map { _ in
      defer { generator &*= 11_400_714_785_074_694_797 }
      return UInt8(generator >> 56)
    }
    for (count, expected, low, high) in Self.references {
      #expect(gca_hash64_bytes(bytes, count) == expected, "\(count) bytes")
      let wide = gca_hash128_bytes(bytes, count)
      #expect((wide.low, wide.high) == (low, high), "\(count) bytes")
    }
  }

  /// Byte count, XXH3-64, the two halves of XXH3-128.
  ///
  /// Made with the portable code of xxhash.h.
  private static let references: [(Int, UInt64, UInt64, UInt64)] = [
    (1, 0xC44B_DFF4_074E_ECDB, 0xC44B_DFF4_074E_ECDB, 0xA6CD_5E93_9200_0F6A),
    (3, 0x5424_7382_A8D6_B94D, 0x5424_7382_A8D6_B94D, 0x20EF_C49F_F024_22EA),
    (6, 0x27B5_6A84_CD2D_7325, 0x3E70_39BD_DA43_CFC6, 0x082A_FE0B_8162_D12A),
    (9, 0x14D5_001C_15DD_3F2B, 0xED7C_CBC5_01EB_7501, 0x564E_F607_8950_D457),
    (16, 0x981B_17D3_6C74_98C9, 0x5629_8025_8A99_8629, 0xC68C_368E_CF8A_9C05),
    (17, 0x796F_5ACD_3A60_F862, 0xABBC_12D1_1973_D7DB, 0x955F_A786_43ED_3669),
    (80, 0xBCDE_FBBB_2C47_C90A, 0x454A_E6BF_7A8A_532D, 0xFDF2_CEFD_E9EA_AC8A),
    (128, 0xFCFF_2412_6754_D861, 0xEBB1_5E34_A7FB_5AB1, 0x3999_2220_E045_260A),
    (129, 0x98F1_B0A6_79A2_CA29, 0x86C9_E3BC_8F0A_3B5C, 0x0381_5FC9_1F1B_30B6),
    (195, 0xCD94_217E_E362_EC3A, 0x3FB5_93C0_86A6_6075, 0x7729_543A_26B2_07EE),
    (240, 0x81C3_C2B6_7F56_8CCF, 0x5C9A_AE94_C8EB_E5A0, 0xAA42_02DA_A276_9DC8),
    (241, 0xC5A6_39EC_D203_0E5E, 0xC5A6_39EC_D203_0E5E, 0x99A8_0ECF_0ECF_C647),
    (403, 0xCDEB_804D_65C6_DEA4, 0xCDEB_804D_65C6_DEA4, 0x1B6D_E21E_332D_D73D),
    (512, 0x617E_4959_9013_CB6B, 0x617E_4959_9013_CB6B, 0x18D2_D110_DCC9_BCA1),
    (1024, 0xDD85_C9B5_C110_9C5C, 0xDD85_C9B5_C110_9C5C, 0x0D30_D240_71C6_4C57),
    (2048, 0xDD59_E2C3_A5F0_38E0, 0xDD59_E2C3_A5F0_38E0, 0xF736_557F_D470_73A5),
    (4096, 0xE912_0642_9D1F_48F9, 0xE912_0642_9D1F_48F9, 0xB9CF_AEA2_CA56_26A4),
    (5000, 0x1C24_6C7B_FE00_3A78, 0x1C24_6C7B_FE00_3A78, 0x3D26_BFDB_E2AD_891E),
  ]

  @Test func everyBitCounts() {
    var bytes = [UInt8](repeating: 0xA5, count: 300)
    let hash = gca_hash64_bytes(bytes, bytes.count)
    for bit in 0..<(bytes.count * 8) {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(gca_hash64_bytes(bytes, bytes.count) != hash)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(gca_hash64_bytes(bytes, bytes.count) == hash)
  }
}
