import Conformance
import Testing

@Suite("A malformed file of cases")
struct MalformedCasesTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let text: String
        let message: String
        var testDescription: String { String(text.prefix(200)) }

        init(_ text: String, _ message: String) { (self.text, self.message) = (text, message) }

        /// A row about one step of an otherwise good case.
        init(step: String, _ message: String) {
            self.init(
                #"{"id":"a-1","ios":["17.0"],"plist":{},"steps":[\#(step)]}"#, message)
        }
    }

    private static func many(_ count: Int, _ step: String) -> String {
        Array(repeating: step, count: count).joined(separator: ",")
    }

    // swift-format-ignore
    static let rows: [Row] = [
        Row("", "there is no case in this file"),
        Row("{", "column 2: a string is due here"),
        Row("[]", "a case is an object, not a list"),
        Row("{}", "a case needs id"),
        Row(#"{"id":1}"#, "id is a string, not a number"),
        Row(#"{"id":"a","ois":["17.0"]}"#, "a case has no key 'ois'; did you mean 'ios'?"),
        Row(#"{"id":"a","ios":"17.0"}"#, "ios is a list, not a string"),
        Row(#"{"id":"a","ios":[]}"#, "ios lists at least one version"),
        Row(#"{"id":"a","ios":["21.0"]}"#, "ios: there is no iOS '21.0'; versions are 8.0 to 18.7 and 26.0 on"),
        Row(#"{"id":"a","ios":["17.0"]}"#, "a case needs steps"),
        Row(#"{"id":"a","ios":["17.0"],"steps":[{"do":"idle"}]}"#, "a case needs plist"),
        Row(#"{"id":"a","ios":["17.0"],"kind":"applet","plist":{},"steps":[]}"#, "kind: unknown 'applet'; there are app, app_clip"),
        Row(#"{"id":"a","ios":["17.0"],"plist":{"UIBackgroundModes":"location"},"steps":[{"do":"idle"}]}"#, "plist: UIBackgroundModes is a list, not a string"),
        Row(#"{"id":"a","ios":["17.0"],"plist":{},"steps":[]}"#, "steps lists at least one step"),
        Row(#"{"id":"","ios":["17.0"]}"#, "id is not empty"),
        Row(#"{"id":"a","ios":["17.0","17"]}"#, "ios lists 17.0 twice"),
        Row(#"{"id":"a","id":"b"}"#, "column 11: 'id' stands here twice"),
        Row(#"{"id":"a","ios":["17.0"],"plist":{},"rules":"W1","steps":[{"do":"idle"}]}"#, "rules is a list, not a string"),
        Row(#"{"id":"a","ios":["17.0"],"plist":{},"confidence":"observd","steps":[{"do":"idle"}]}"#, "confidence: unknown 'observd'; did you mean 'observed'?"),
        Row(step: "1", "step 1 is an object, not a number"),
        Row(step: "{}", "step 1 has exactly one of do, answer, settings, expect; it has "),
        Row(step: #"{"do":"launch","answer":"allow"}"#, "step 1 has exactly one of do, answer, settings, expect; it has answer, do"),
        Row(step: #"{"do":"lunch"}"#, "step 1: do: unknown 'lunch'; did you mean 'launch'?"),
        Row(step: #"{"do":"launch","delegaet":"legacy"}"#, "step 1: launch has no key 'delegaet'; did you mean 'delegate'?"),
        Row(step: #"{"do":"launch","delegate":"old"}"#, #"step 1: delegate: unknown 'old'; there are legacy, new_only"#),
        Row(step: #"{"do":"wait"}"#, "step 1: wait needs seconds"),
        Row(step: #"{"do":"wait","seconds":"1"}"#, "step 1: seconds is a number, not a string"),
        Row(step: #"{"do":"wait","seconds":-1}"#, "step 1: seconds is a number in 0 ... 315360000"),
        Row(step: #"{"do":"wait","seconds":1e18}"#, "step 1: seconds is a number in 0 ... 315360000"),
        Row(step: #"{"do":"drive","seconds":1e9}"#, "step 1: seconds is a number in 0 ... 604800"),
        Row(step: #"{"do":"start","service":"region","id":"c","count":1e308}"#, "step 1: count is a whole number in 1 ... 1000"),
        Row(step: #"{"do":"start","service":"region","id":"c","count":1.5}"#, "step 1: count is a whole number in 1 ... 1000"),
        Row(step: #"{"do":"start","service":"region","id":"c","radius_m":1e308}"#, "step 1: radius_m is a number in 0 ... 40000000"),
        Row(step: #"{"do":"location_services","on":1}"#, "step 1: on is true or false, not a number"),
        Row(step: #"{"do":"start","service":"update"}"#, "step 1: service: unknown 'update'; did you mean 'updates'?"),
        Row(step: #"{"do":"upgrade_os","to":"22"}"#, "step 1: to: there is no iOS '22'; versions are 8.0 to 18.7 and 26.0 on"),
        Row(step: #"{"answer":"alow"}"#, "step 1: answer: unknown 'alow'; did you mean 'allow'?"),
        Row(step: #"{"settings":"sometimes"}"#, "step 1: settings: unknown 'sometimes'; there are never, ask_next_time, while_using, always, precise"),
        Row(step: #"{"settings":"precise"}"#, "step 1 needs on"),
        Row(step: #"{"settings":"never","on":true}"#, #"step 1: on goes with "settings": "precise" alone"#),
        Row(step: #"{"expect":{"statsu":"denied"}}"#, "step 1: expect has no key 'statsu'; did you mean 'status'?"),
        Row(step: #"{"expect":[]}"#, "step 1 is an object, not a list"),
        Row(step: #"{"do":"position","id":"a","edge_m":-1e9}"#, "step 1: edge_m is a number in -40000000 ... 40000000"),
        Row(step: #"{"do":"start","service":"region","radius_m":200}"#, "step 1: start region needs id"),
        Row(step: #"{"do":"start","service":"monitor","id":"a"}"#, "step 1: start monitor needs radius_m"),
        Row(step: #"{"do":"start","service":"visits","radius_m":200}"#, "step 1: start visits has no key 'radius_m'"),
        Row(step: #"{"do":"stop","service":"region"}"#, "step 1: stop region needs id"),
        Row(step: #"{"do":"event","service":"region","id":"a"}"#, "step 1: event region needs kind"),
        Row(step: #"{"do":"event","service":"visits","kind":"enter"}"#, "step 1: event visits: kind: unknown 'enter'; there are arrival, departure"),
        Row(step: #"{"do":"event","service":"heading","kind":"enter"}"#, "step 1: event heading has no key 'kind'"),
        Row(step: #"{"do":"event","service":"updates"}"#, "step 1: updates has no events"),
        Row(step: #"{"expect":{"status":5}}"#, "step 1: expect: status is a string, not a number"),
        Row(step: #"{"expect":{"status":"deneid"}}"#, "step 1: expect: status: unknown 'deneid'; did you mean 'denied'?"),
        Row(step: #"{"expect":{"initial_callback":[]}}"#, "step 1: expect: initial_callback is an object, not a list"),
        Row(step: #"{"expect":{"callbacks":[{"statsu":"denied"}]}}"#, "step 1: expect: callbacks 1 has no key 'statsu'; did you mean 'status'?"),
        Row(step: #"{"expect":{"manager_callbacks":{"a":{}}}}"#, "step 1: expect: manager_callbacks: a is a list, not an object"),
        Row(step: #"{"expect":{"prompt":{"kind":"wigdet"}}}"#, "step 1: expect: prompt: kind: unknown 'wigdet'; did you mean 'widget'?"),
        Row(step: #"{"expect":{"prompt":{"map":1}}}"#, "step 1: expect: prompt: map is true or false, not a number"),
        Row(step: #"{"expect":{"delivered":[{"kind":"entr"}]}}"#, "step 1: expect: delivered 1: kind: unknown 'entr'; did you mean 'enter'?"),
        Row(step: #"{"expect":{"delivered_count":{"service":"updates","mn":1}}}"#, "step 1: expect: delivered_count has no key 'mn'; did you mean 'min'?"),
        Row(step: #"{"expect":{"delivered_count":{"min":1}}}"#, "step 1: expect: delivered_count needs service"),
        Row(step: #"{"expect":{"location":{"horizontal_accuracy_min":"1"}}}"#, "step 1: expect: location: horizontal_accuracy_min is a number, not a string"),
        Row(step: #"{"expect":{"errors":[{"code":"denid"}]}}"#, "step 1: expect: errors 1: code: unknown 'denid'; did you mean 'denied'?"),
        Row(step: #"{"expect":{"diagnostics":{"monitor":["acuracyLimited"]}}}"#, "step 1: expect: diagnostics: monitor 1: unknown 'acuracyLimited'; did you mean 'accuracyLimited'?"),
        Row(step: #"{"expect":{"monitored_count":1.5}}"#, "step 1: expect: monitored_count is a whole number in 0 ... 1000000000"),
        Row(step: #"{"expect":{"crashed":0}}"#, "step 1: expect: crashed is true or false, not a number"),
        Row(step: #"{"expect":{"delivered_count":{"service":"updates","min":-1}}}"#, "step 1: expect: delivered_count: min is a whole number in 0 ... 1000000000"),
        Row(step: #"{"expect":{"location":{"horizontal_accuracy_min":1e999}}}"#, "step 1: expect: location: horizontal_accuracy_min is a number of at most 1000000000"),
        Row(step: #"{"do":"wait","seconds":1e999}"#, "step 1: seconds is a number in 0 ... 315360000"),
        Row(step: #"{"do":"start","service":"region","id":"c","count":1e999}"#, "step 1: count is a whole number in 1 ... 1000"),
        Row(step: #"{"do":"wait","seconds":315360000},{"do":"wait","seconds":0.5}"#, "step 2: a case has at most 315360000 seconds of wait; with this step it has 315360000.5"),
        Row(step: #"{"do":"drive","seconds":604800},{"do":"drive","seconds":1}"#, "step 2: a case has at most 604800 seconds of drive; with this step it has 604801"),
        Row(step: many(11, #"{"do":"start","service":"region","id":"c","radius_m":9,"count":1000}"#), "step 11: a case has at most 10000 starts; with this step it has 11000"),
        Row(step: many(11, #"{"do":"stop","service":"monitor","id":"c","count":1000}"#), "step 11: a case has at most 10000 stops; with this step it has 11000"),
        Row(step: many(10_001, #"{"do":"idle"}"#), "steps lists 10001 steps; a case has at most 10000"),
        Row(step: #"{"expect":{"prompt":{"usage_key":"\ud800"}}}"#, "column 82: this is half of a surrogate pair"),
        Row(#"{"id":"a","source":"# + String(repeating: "[", count: 100_000), "column 83: brackets nest at most 64 deep"),
        Row(#"{"id":"a","ios":[18]}"#, #"ios 1 is a string, such as "18" or "18.0", not a number"#),
        Row(#"{"id":"a","ios":["17",null]}"#, #"ios 2 is a string, such as "18" or "18.0", not null"#),
    ]

    @Test("is refused with its line and the reason", arguments: rows)
    func refused(_ row: Row) {
        let error = #expect(throws: ConformanceError.self) {
            try ConformanceFile.read(Array(row.text.utf8), name: "f")
        }
        #expect(error?.description == "f:1: \(row.message)")
    }

    @Test("is none for a byte order mark or lines that end as on Windows")
    func foreign() throws {
        let line = #"{"id":"a-1","ios":["17"],"plist":{},"steps":[{"do":"idle"}]}"#
        let bytes = [0xEF, 0xBB, 0xBF] + Array("\(line)\r\n\r\n".utf8)
        #expect(try ConformanceFile.read(bytes, name: "f").map(\.versionTexts) == [["17"]])
    }

    @Test("is refused where an id stands twice")
    func twice() {
        let line = #"{"id":"a-1","ios":["17.0"],"plist":{},"steps":[{"do":"idle"}]}"#
        let error = #expect(throws: ConformanceError.self) {
            try ConformanceFile.read(Array("\(line)\n\n\(line)\n".utf8), name: "f")
        }
        #expect(error?.description == "f:3: 'a-1' is the id of line 1 already")
    }

    @Test("is refused where a line has no end in sight")
    func long() {
        let title = String(repeating: "x", count: 2_000_000)
        let line = #"{"id":"a-1","title":"\#(title)"}"#
        let error = #expect(throws: ConformanceError.self) {
            try ConformanceFile.read(Array("\n\(line)".utf8), name: "f")
        }
        #expect(error?.description == "f:2: a line has at most 1048576 bytes")
    }

    @Test("is none for a text that is no string: iOS ignores that as well (LI6)")
    func textTypes() throws {
        let line = """
            {"id":"a-1","ios":["17.0"],"plist":{"NSLocationWhenInUseUsageDescription":1,\
            "NSLocationTemporaryUsageDescriptionDictionary":"a"},"steps":[{"do":"idle"}]}
            """
        let test = try #require(ConformanceFile.read(Array(line.utf8), name: "f").first)
        #expect(!test.plist.capabilities.hasWhenInUseText)
        #expect(test.plist.temporaryPurposeKeys == [])
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
