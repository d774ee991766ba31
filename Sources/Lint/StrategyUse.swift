import AuthorizationCore
import Simulation

/// What the text of a strategy calls, whatever it would call in a run.
public struct StrategyUse: Sendable {
    /// A purpose key that is asked for; `key` nil where the text does not tell which.
    public struct Purpose: Hashable, Sendable {
        public var key: String?
        public var line: Int
    }

    /// For messages.
    public var name: String
    public var hooks: HookSet
    /// Lines of the first call of each kind; nil: there is none.
    public private(set) var whenInUseLine: Int?
    public private(set) var alwaysLine: Int?
    public private(set) var purposes: [Purpose] = []
    /// `allowsBackgroundLocationUpdates` is set to something other than `false`.
    public private(set) var backgroundUpdatesLine: Int?
    public private(set) var services: [(service: LocationService, line: Int)] = []
    /// Both requests one after the other, with nothing between that keeps them apart.
    public private(set) var backToBackLine: Int?
    /// A request with `thread = "background"`.
    public private(set) var offMainLine: Int?
    /// The class method `authorizationStatus()`.
    public private(set) var classMethodLine: Int?
    /// The status is compared with `denied`, and `restricted` stands nowhere.
    public private(set) var deniedAloneLine: Int?

    /// It asks whether the phone has iOS 17 or later, before which some services are not there.
    public private(set) var asksForIOS17 = false

    /// - Parameters:
    ///   - source: its text.
    ///   - options: the texts among the defaults of its options, by name.
    public init(source: String, name: String, hooks: HookSet, options: [String: String] = [:]) {
        (self.name, self.hooks) = (name, hooks)
        let tokens = LuaTokens.read(source)
        for place in tokens.indices { read(tokens, place, options) }
        backToBackLine = LuaBlocks.backToBack(tokens)
        if tokens.contains(where: { $0.kind == .string && $0.text == "restricted" }) {
            deniedAloneLine = nil
        }
    }

    public func line(of access: Access) -> Int? {
        access == .always ? alwaysLine : whenInUseLine
    }

    private static let starts: [String: LocationService] = [
        "startUpdatingLocation": .updates,
        "startMonitoringSignificantLocationChanges": .significantChange,
        "startMonitoringVisits": .visits, "startMonitoring": .regions,
        "startRangingBeacons": .ranging, "liveUpdates": .liveUpdates, "CLMonitor": .monitors,
    ]

    private mutating func read(
        _ tokens: [LuaToken], _ place: Int, _ options: [String: String]
    ) {
        let token = tokens[place]
        guard token.kind == .name else { return readComparison(tokens, place) }
        let next = place + 1 < tokens.count ? tokens[place + 1] : nil
        if token.text == "allowsBackgroundLocationUpdates", next?.isSymbol("=") == true {
            let isFalse = place + 2 < tokens.count && tokens[place + 2].isName("false")
            if !isFalse { backgroundUpdatesLine = backgroundUpdatesLine ?? token.line }
        }
        if Self.asksForIOS17(tokens, place) { asksForIOS17 = true }
        guard LuaBlocks.isCall(tokens, place) else { return }
        if LuaBlocks.isRequestOffMain(tokens, place) { offMainLine = offMainLine ?? token.line }
        switch token.text {
        case "requestWhenInUseAuthorization": whenInUseLine = whenInUseLine ?? token.line
        case "requestAlwaysAuthorization": alwaysLine = alwaysLine ?? token.line
        case "requestTemporaryFullAccuracyAuthorization":
            let key = Self.purpose(tokens[(place + 1)...], options)
            purposes.append(Purpose(key: key, line: token.line))
        case "authorizationStatus":
            if place > 1, tokens[place - 2].isName("CLLocationManager") {
                classMethodLine = classMethodLine ?? token.line
            }
        default:
            if let service = Self.starts[token.text],
                !services.contains(where: { $0.service == service })
            {
                services.append((service, token.line))
            }
        }
    }

    /// `available("17.0")`, or a comparison of `ios` with such a number.
    private static func asksForIOS17(_ tokens: [LuaToken], _ place: Int) -> Bool {
        let after = tokens[(place + 1)...].prefix(2)
        let word: LuaToken?
        switch tokens[place].text {
        case "available": word = after.first { $0.kind == .string }
        case "ios":
            let signs = ["<", ">", "<=", ">="]
            word = after.first.map { signs.contains($0.text) } == true ? after.last : nil
        default: return false
        }
        return word.flatMap { IOSVersion($0.text) }.map { $0 >= .v17 } ?? false
    }

    /// The key in `("Key")`, `"Key"` or `(app.options.name)`.
    private static func purpose(
        _ tokens: ArraySlice<LuaToken>, _ options: [String: String]
    ) -> String? {
        let words = Array(tokens.prefix(9))
        if let first = words.first, first.kind == .string { return first.text }
        guard words.count > 2, words[0].isSymbol("(") else { return nil }
        if words[1].kind == .string, words[2].isSymbol(")") { return words[1].text }
        guard let end = words.firstIndex(where: { $0.isSymbol(")") }), end >= 4,
            words[end - 1].kind == .name, words[end - 2].isSymbol("."),
            words[end - 3].isName("options")
        else { return nil }
        return options[words[end - 1].text]
    }

    private mutating func readComparison(_ tokens: [LuaToken], _ place: Int) {
        guard tokens[place].kind == .string, tokens[place].text == "denied" else { return }
        let isSign = { (place: Int) in
            tokens.indices.contains(place)
                && (tokens[place].isSymbol("==") || tokens[place].isSymbol("~="))
        }
        let isStatus = { (place: Int) in
            tokens.indices.contains(place) && tokens[place].kind == .name
                && ["status", "authorizationStatus"].contains(tokens[place].text)
        }
        guard isSign(place - 1) && isStatus(place - 2) || isSign(place + 1) && isStatus(place + 2)
        else { return }
        deniedAloneLine = deniedAloneLine ?? tokens[place].line
    }
}
