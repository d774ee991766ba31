/// The API for editors. Source of the form: LuaLS wiki, Annotations (documented).
extension APICatalogue {
    /// `scripts/locfleet.d.lua`: a definition file of the Lua language server.
    public func annotations() -> String {
        var text = """
            ---@meta
            -- Locfleet's script API for editors. Generated: locfleet api --annotations
            -- In .luarc.json: { "workspace.library": ["scripts/locfleet.d.lua"] }

            ---@alias Duration number|string Seconds, or text with a unit ("90s", "2d").
            ---@alias Choice string A button of a prompt; scripts/README.md lists them.
            ---@alias Status
            ---| "notDetermined"
            ---| "restricted"
            ---| "denied"
            ---| "authorizedWhenInUse"
            ---| "authorizedAlways"
            ---@alias Accuracy "fullAccuracy"|"reducedAccuracy"
            ---@alias CLRegion CLCircularRegion
            ---@alias PrimerAnswer "continue"|"not_now"
            ---@alias AlertAnswer "open_settings"|"cancel"

            ---@class Answer
            ---@field precise? boolean False: turns the prompt's Precise switch off.
            ---@field after? Duration Thinks for so long.

            ---@class Region
            ---@field identifier string
            ---@field latitude number
            ---@field longitude number
            ---@field radius number In meters.

            ---@class CLHeading What it says comes with movement.

            ---@class SettingsAlert The app's alert that offers Settings. It has no fields.

            ---@class Option
            ---@field default number|boolean|string
            ---@field min? number
            ---@field max? number
            ---@field unit? string
            ---@field about? string
            ---@field source? string A record of behaviour-sources.json, or "assumed".
            ---@field assumed? boolean

            """
        for owner in owners { text += "\n" + section(owner) }
        return text
    }

    private static let libraries: Set = [
        "phone", "rng", "metric", "funnel", "math", "string", "table", "coroutine",
    ]
    /// What the language server knows by itself, and what scripts have of it is the same.
    private static let lua: Set = ["globals", "math", "string", "table", "coroutine"]

    private func section(_ owner: String) -> String {
        if Self.lua.contains(owner) {
            return "-- As in Lua, of \(owner):\n"
                + self[owner].map { "--   \($0.name)\n" }.joined()
        }
        if owner == "behavior" || owner == "strategy" {
            let title = owner == "behavior" ? "Behavior" : "Strategy"
            return "---@class \(title)\n---@field options? table<string, Option>\n"
                + self[owner].map(\.field).joined()
        }
        if owner == "CLLocationUpdate library" {
            return self[owner].map { $0.function(of: "CLLocationUpdate") }.joined()
        }
        if owner.hasSuffix(" globals") { return self[owner].map { $0.function(of: nil) }.joined() }
        if Self.libraries.contains(owner) {
            return "\(owner) = {}\n" + self[owner].map { $0.function(of: owner) }.joined()
        }
        let own = "---@class \(owner)\n" + self[owner].map(\.field).joined()
        return owner == "App" ? own + "\n---@type App\napp = nil\n" : own
    }
}

extension APICatalogue.Entry {
    private var remark: String { about + (since.map { " From iOS \($0) on." } ?? "") }

    /// Lines of a class.
    fileprivate var field: String {
        let isMethod = kind == .method
        let list = (isMethod ? ["self"] : []) + parameters.map(\.text)
        let function = "fun(\(list.joined(separator: ", ")))" + (returns.map { ": \($0)" } ?? "")
        let type = kind == .field ? returns ?? "any" : function
        return note + "---@field \(name)\(kind == .hook ? "?" : "") \(type)\n"
    }

    /// The remark, on lines that fit.
    private var note: String {
        var lines = [""]
        for word in remark.split(separator: " ") {
            if lines[lines.count - 1].count + word.count > 92 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.map { "---\($0)\n" }.joined()
    }

    fileprivate func function(of library: String?) -> String {
        var text = "\n" + note
        for each in parameters { text += "---@param \(each.name) \(each.type)\n" }
        if let returns { text += "---@return \(returns)\n" }
        let names = parameters.map(\.name).joined(separator: ", ")
        return text + "function \(library.map { $0 + "." } ?? "")\(name)(\(names)) end\n"
    }
}

extension APICatalogue.Parameter {
    fileprivate var text: String { name == "self" ? name : "\(name): \(type)" }
}
