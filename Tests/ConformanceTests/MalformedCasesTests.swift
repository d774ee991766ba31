import Conformance
import Testing

@Suite("A malformed file of cases")
struct MalformedCasesTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let text: String
        let message: String
        var testDescription: String { text }

        init(_ text: String, _ message: String) { (self.text, self.message) = (text, message) }

        /// A row about one step of an otherwise good case.
        init(step: String, _ message: String) {
            self.init(
                #"{"id":"a-1","ios":["17.0"],"plist":{},"steps":[\#(step)]}"#, message)
        }
    }

    // swift-format-ignore
    static let rows: [Row] = [
        Row("", "there is no case in this file"),
        Row("{", "column 2: a string is due here"),
        Row("[]", "a case is an object"),
        Row("{}", "a case needs id"),
        Row(#"{"id":1}"#, "id is a string"),
        Row(#"{"id":"a","ois":["17.0"]}"#, "a case has no key 'ois'; did you mean 'ios'?"),
        Row(#"{"id":"a","ios":"17.0"}"#, "ios is a list"),
        Row(#"{"id":"a","ios":[]}"#, "ios lists at least one version"),
        Row(#"{"id":"a","ios":["21.0"]}"#, "ios: there is no iOS '21.0'; versions are 8.0 to 18.7 and 26.0 on"),
        Row(#"{"id":"a","ios":["17.0"]}"#, "a case needs steps"),
        Row(#"{"id":"a","ios":["17.0"],"steps":[]}"#, "a case needs plist"),
        Row(#"{"id":"a","ios":["17.0"],"kind":"applet","plist":{},"steps":[]}"#, "kind: unknown 'applet'; there are app, app_clip"),
        Row(#"{"id":"a","ios":["17.0"],"plist":{"UIBackgroundModes":"location"},"steps":[]}"#, "plist: UIBackgroundModes is a list"),
        Row(#"{"id":"a","ios":["17.0"],"plist":{"NSLocationWhenInUseUsageDescription":1},"steps":[]}"#, "plist: NSLocationWhenInUseUsageDescription is a string"),
        Row(step: "1", "step 1 is an object"),
        Row(step: "{}", "step 1 has exactly one of do, answer, settings, expect; it has "),
        Row(step: #"{"do":"launch","answer":"allow"}"#, "step 1 has exactly one of do, answer, settings, expect; it has answer, do"),
        Row(step: #"{"do":"lunch"}"#, "step 1: do: unknown 'lunch'; did you mean 'launch'?"),
        Row(step: #"{"do":"launch","delegaet":"legacy"}"#, "step 1: launch has no key 'delegaet'; did you mean 'delegate'?"),
        Row(step: #"{"do":"launch","delegate":"old"}"#, #"step 1: delegate: unknown 'old'; there are legacy, new_only"#),
        Row(step: #"{"do":"wait"}"#, "step 1: wait needs seconds"),
        Row(step: #"{"do":"wait","seconds":"1"}"#, "step 1: seconds is a number"),
        Row(step: #"{"do":"wait","seconds":-1}"#, "step 1: seconds is a number in 0 ... 315360000"),
        Row(step: #"{"do":"wait","seconds":1e18}"#, "step 1: seconds is a number in 0 ... 315360000"),
        Row(step: #"{"do":"drive","seconds":1e9}"#, "step 1: seconds is a number in 0 ... 604800"),
        Row(step: #"{"do":"start","service":"region","id":"c","count":1e308}"#, "step 1: count is a whole number in 1 ... 1000"),
        Row(step: #"{"do":"start","service":"region","id":"c","count":1.5}"#, "step 1: count is a whole number in 1 ... 1000"),
        Row(step: #"{"do":"start","service":"region","id":"c","radius_m":1e308}"#, "step 1: radius_m is a number in 0 ... 40000000"),
        Row(step: #"{"do":"location_services","on":1}"#, "step 1: on is true or false"),
        Row(step: #"{"do":"start","service":"update"}"#, "step 1: service: unknown 'update'; did you mean 'updates'?"),
        Row(step: #"{"do":"upgrade_os","to":"22"}"#, "step 1: to: there is no iOS '22'; versions are 8.0 to 18.7 and 26.0 on"),
        Row(step: #"{"answer":"alow"}"#, "step 1: answer: unknown 'alow'; did you mean 'allow'?"),
        Row(step: #"{"settings":"sometimes"}"#, "step 1: settings: unknown 'sometimes'; there are never, ask_next_time, while_using, always, precise"),
        Row(step: #"{"settings":"precise"}"#, "step 1 needs on"),
        Row(step: #"{"settings":"never","on":true}"#, #"step 1: on goes with "settings": "precise" alone"#),
        Row(step: #"{"expect":{"statsu":"denied"}}"#, "step 1: expect has no key 'statsu'; did you mean 'status'?"),
        Row(step: #"{"expect":[]}"#, "step 1 is an object"),
    ]

    @Test("is refused with its line and the reason", arguments: rows)
    func refused(_ row: Row) {
        let error = #expect(throws: ConformanceError.self) {
            try ConformanceFile.read(Array(row.text.utf8), name: "f")
        }
        #expect(error?.description == "f:1: \(row.message)")
    }

    @Test("is refused where an id stands twice")
    func twice() {
        let line = #"{"id":"a-1","ios":["17.0"],"plist":{},"steps":[]}"#
        let error = #expect(throws: ConformanceError.self) {
            try ConformanceFile.read(Array("\(line)\n\n\(line)\n".utf8), name: "f")
        }
        #expect(error?.description == "f:3: 'a-1' is the id of line 1 already")
    }

    @Test("neither crashes nor hangs when it is cut or has a byte changed")
    func fuzz() {
        let text = Array(
            #"{"id":"a-1","ios":["17.0"],"plist":{},"steps":[{"do":"wait","seconds":1e9}]}"#.utf8)
        for place in text.indices {
            _ = try? ConformanceFile.read(Array(text[..<place]), name: "f")
            for byte in [0, 10, 34, 57, 91, 125, 255] as [UInt8] {
                var changed = text
                changed[place] = byte
                _ = try? ConformanceFile.read(changed, name: "f")
            }
        }
    }
}
