import CLuaShim
import SimPrimitives
import Simulation

/// What the C side calls back. It outlives the state, which keeps a pointer to it.
final class LuaHost {
    private let zone: Zone
    private let names: NameTable
    private let onPrint: (String, SimTime) -> Void
    private let watch: ScriptWatch?

    init(
        zone: Zone, names: NameTable, watch: ScriptWatch?,
        onPrint: @escaping (String, SimTime) -> Void
    ) {
        (self.zone, self.names, self.onPrint) = (zone, names, onPrint)
        self.watch = watch
    }

    /// - Precondition: this object outlives every use of them.
    var callbacks: clua_host {
        clua_host(
            context: Unmanaged.passUnretained(self).toOpaque(),
            below: { LuaHost.stream($0).pointee.next(below: $1) },
            uniform: { LuaHost.stream($0).pointee.uniform() },
            exponential: { LuaHost.stream($0).pointee.exponential() },
            normal: { LuaHost.stream($0).pointee.normal() },
            hour: { LuaHost.from($0).zone.hour(at: SimTime(microseconds: $1)) },
            day: { LuaHost.from($0).zone.day(at: SimTime(microseconds: $1)) },
            weekday: { LuaHost.from($0).zone.weekday(at: SimTime(microseconds: $1)) },
            intern: { context, text, length in
                let bytes = UnsafeRawBufferPointer(start: text, count: length)
                let id = LuaHost.from(context).names.id(of: String(decoding: bytes, as: UTF8.self))
                return id.map { Int32($0.index) } ?? -1
            },
            name: { context, number, text in
                let name = LuaHost.from(context).names[NameID(UInt16(number))]
                let bytes = UnsafeMutableRawBufferPointer(
                    start: text, count: NameTable.bytesMax)
                let kept = name.utf8.prefix(NameTable.bytesMax)
                bytes.copyBytes(from: kept)
                return kept.count
            },
            print: { context, microseconds, text, length in
                let bytes = UnsafeRawBufferPointer(start: text, count: length)
                let line = String(decoding: bytes, as: UTF8.self)
                LuaHost.from(context).onPrint(line, SimTime(microseconds: microseconds))
            },
            weighed: watch == nil
                ? nil
                : { context, sum, largest, line in
                    LuaHost.from(context).watch?.weighed(sum, largest, line: Int(line))
                })
    }

    /// The stream that `LuaState.call` has put into the frame. C asks only while a hook runs.
    private static func stream(
        _ random: UnsafeMutableRawPointer?
    ) -> UnsafeMutablePointer<RandomStream> {
        random!.assumingMemoryBound(to: RandomStream.self)  // Never nil: see above.
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> LuaHost {
        Unmanaged.fromOpaque(context!).takeUnretainedValue()  // Never nil: set in `callbacks`.
    }
}
