import Dispatch
import Foundation
import GraphCodable

/// Classes whose names have all that names of classes can have.
enum NameCorpus {
  /// Classes that Swift finds by name.
  static let classes: [AnyClass] = [
    Plain.self, Plain.InExtension.self, Scope.InStruct.self, Scope.Case.InEnum.self, Act.self,
    Scope.Case.Box<Int>.self, Scope.Case.Box<Int>.Pair<String, Double>.self,
    Scope.Case.Box<Int>.Pair<String, Double>.Plain.self,
    // Word substitutions, and names that are not of ASCII letters.
    MyDataMyDataData.self, MyDataMyDataData.DataMyData.self, Over_Word_ordered_0Digits.self, ünïcødé.self,
    ünïcødé.名前.self, `a raw name`.self,
    // Generic classes and scopes.
    Box<Int>.self, Box<Int>.Inner.self, Box<Int>.Inner2<Plain>.self, Box<Int>.Case.X.self,
    Box<Box<Plain>>.Inner2<Box<Plain>>.self, Keyed<String, Plain>.self, Wrapped<Plain>.self, Deeper<Int>.self,
    Holding<Int>.InStruct.self, Holding<Plain>.Inner<Plain>.self, Holding<Int>.WhereEquatable.self,
    Holding<Int>.WhereEquatable2<String>.self, Holding<Int>.WhereInt.self, Holding<Int>.Deep<Bool>.X.self,
    // In extensions of other types.
    [Int].WhereHashable<String>.self, [Plain].InArray.self, Int.InInt.self, Int.InIntOf<Plain>.self,
    String.Scope.InString.self, Date.InDate.self, [String: Int].WhereInt.self, Plain?.InOptional.self,
    // Generic arguments.
    Box<[Int]>.self, Box<[Plain]>.self, Box<Int?>.self, Box<Plain??>.self, Box<[String: [Plain]]>.self,
    Box<Set<[Int]?>>.self, Box<(Int, Plain)>.self, Box<(x: Int, y: Plain)>.self, Box<()>.self,
    Box<(Int, (Plain, Plain))>.self, Box<any Proto>.self, Box<any Proto & ClassProto>.self, Box<Any>.self,
    Box<AnyObject>.self, Box<any Proto & AnyObject>.self, Box<any Codable>.self, Box<any Error>.self,
    Box<any Actor>.self, Box<SIMD4<Float>>.self, Box<SIMD2<Int8>>.self, Box<Date>.self, Box<Data>.self,
    Box<UUID>.self, Box<URL>.self, Box<Decimal>.self, Box<Measurement<UnitLength>>.self,
    Box<DispatchTime>.self,
    Box<timespec>.self, Box<Range<Int>>.self, Box<ClosedRange<Int>>.self, Box<Substring>.self,
    Box<Character>.self, Box<Unicode.Scalar>.self, Box<UInt8>.self, Box<Int128>.self, Box<UInt>.self,
    Box<Float>.self, Box<Double>.self, Box<Bool>.self, Box<UnsafePointer<Int>>.self, Box<CGRect>.self,
    Box<Result<Int, any Error>>.self, Box<ContiguousArray<Int>>.self, Box<ArraySlice<Int>>.self,
    Box<String.Index>.self, Box<Calendar.Component>.self, Box<AttributedString>.self, Box<Never>.self,
    Box<Dictionary<Int, Int>.Values.Index>.self, Box<LazyMapSequence<[Int], Plain>>.self,
    Box<KeyPath<Plain, Int>>.self, Box<Task<Int, Never>>.self, Box<Duration>.self,
    Box<Scope.Case.Box<Int>.Pair<String, Double>>.self, Box<Holding<Holding<[Plain]>>>.self,
    Many<Int, Plain, String, Plain, Int, Box<Int>>.self, Pack<Int, String>.self, packed(),
    Pack<[Plain]>.self,
    OverCopyable<Int>.self, Box<Box<Box<Box<Box<Box<Box<Box<Box<Int>>>>>>>>>.self,
  ]

  /// Classes that Swift does not find by name, or only by names that are not looked up.
  static let others: [AnyClass] = [
    Hidden.self, Hidden.Inner.self, Box<Hidden>.self, Count<5>.self, Box<Count<5>>.self, Box<Int.Type>.self,
    Box<(Int) -> Plain>.self, Box<any Proto.Type>.self, OverCopyable<NotCopied>.self,
  ]
}

class Plain {}
struct Scope {
  class InStruct {}
  enum Case {
    final class InEnum {}
    final class Box<A> {
      final class Pair<B, C> { final class Plain {} }
    }
  }
}
extension Plain { class InExtension {} }
actor Act {}
final class MyDataMyDataData { final class DataMyData {} }
// Names as they are is what this is about.
// swift-format-ignore
final class Over_Word_ordered_0Digits {}
// swift-format-ignore
final class ünïcødé { final class 名前 {} }
final class `a raw name` {}

class Box<Value> {
  final class Inner {}
  final class Inner2<Other> {}
  enum Case { final class X {} }
}
class Wrapped<Value>: Box<Value> {}
class Deeper<Value>: Wrapped<[Value]> {}
final class Keyed<Key: Hashable, Value> {}
final class Many<A, B, C, D, E, F> {}
final class Pack<each Value> {}
/// `Pack< >` for no types: the formatter would make an operator of it.
private func packed<each Value>(_ types: repeat (each Value).Type) -> AnyClass {
  Pack<repeat each Value>.self
}
final class OverCopyable<Value: ~Copyable> {}
final class Count<let count: Int> {}
struct NotCopied: ~Copyable {}
protocol Proto {}
protocol ClassProto: AnyObject {}

struct Holding<Value> {
  final class InStruct {}
  final class Inner<Other> {}
}
extension Holding: Equatable where Value: Equatable {}
extension Holding where Value: Equatable {
  final class WhereEquatable {}
  final class WhereEquatable2<Other> {}
}
extension Holding where Value == Int {
  final class WhereInt {}
  struct Deep<Other> { final class X {} }
}
extension Array where Element: Hashable { final class WhereHashable<Other: Hashable> {} }
extension Array { final class InArray {} }
extension Int {
  final class InInt {}
  final class InIntOf<Other> {}
}
extension String {
  enum Scope { final class InString {} }
}
extension Date { final class InDate {} }
extension Dictionary where Value == Int { final class WhereInt {} }
extension Optional { final class InOptional {} }

private final class Hidden { final class Inner {} }
