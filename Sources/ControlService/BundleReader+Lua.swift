import Bundles
import Foundation
import LuaScripting
import Simulation

extension BundleReader {
    /// A reader that asks Lua what options a script declares.
    public static func withLua(library: [URL]) -> BundleReader {
        BundleReader(library: library, outline: declaredOptions)
    }

    /// What a script declares, in the words of bundles.
    private static func declaredOptions(
        source: String, name: String, role: ScriptRole
    ) throws -> [DeclaredOption] {
        let kind: ScriptKind =
            switch role {
            case .behavior: .behavior
            case .strategy: .strategy
            }
        let outline = try LuaScripting.ScriptOutline.read(source: source, name: name, kind: kind)
        return outline.options.map { option in
            DeclaredOption(
                name: option.name, value: option.defaultValue, min: option.min, max: option.max,
                unit: option.unit ?? "", about: option.about ?? "", source: option.source ?? "",
                isAssumed: option.isAssumed)
        }
    }
}
