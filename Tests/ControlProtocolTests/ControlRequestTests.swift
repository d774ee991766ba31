import ControlProtocol
import Testing

@Suite("Control requests")
struct ControlRequestTests {
    static func decode(_ method: String, _ parameters: String) -> Result<
        ControlRequest, ControlError
    > {
        let line = #"{"id":1,"method":"\#(method)","params":\#(parameters)}"#
        return ControlMessage(line: Array(line.utf8)).calls[0].request
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let method: String
        let parameters: String
        let request: ControlRequest
        var testDescription: String { "\(method) \(parameters)" }

        init(_ method: String, _ parameters: String, _ request: ControlRequest) {
            (self.method, self.parameters, self.request) = (method, parameters, request)
        }
    }

    static let hash = String(repeating: "0a", count: 32)
    private static let view = ControlRequest.View()
    private static let wide = ControlRequest.View(format: .text, width: 1_000, color: true)

    // swift-format-ignore
    static let rows: [Row] = [
        Row("rpc.discover", "{}", .discover),
        Row("daemon.status", "{}", .daemonStatus),
        Row("daemon.reload", "{}", .daemonReload),
        Row("daemon.stop", "{}", .daemonStop),
        Row("limits", "{}", .limits),
        Row("blob.have", #"{"sha256":["\#(hash)","\#(hash)"]}"#, .blobHave(sha256: [hash, hash])),
        Row("blob.put", #"{"sha256":"\#(hash)","offset":0,"base64":"aGk="}"#, .blobPut(sha256: hash, offset: 0, bytes: [0x68, 0x69], last: false)),
        Row("blob.put", #"{"sha256":"\#(hash)","offset":9007199254740991,"base64":"","last":true}"#, .blobPut(sha256: hash, offset: 1 << 53 - 1, bytes: [], last: true)),
        Row("fleet.create", #"{"name":"a","bundle":"\#(hash)"}"#, .fleetCreate(name: "a", bundle: hash, paused: false, rate: .max, by: [])),
        Row("fleet.create", #"{"name":"a","bundle":"sha256:\#(hash)"}"#, .fleetCreate(name: "a", bundle: hash, paused: false, rate: .max, by: [])),
        Row("fleet.create", #"{"name":"_A.b-9","bundle":"\#(hash)","paused":true,"rate":"0.5x","by":["ios","persona"]}"#, .fleetCreate(name: "_A.b-9", bundle: hash, paused: true, rate: .ratio(0.5), by: [.ios, .persona])),
        Row("fleet.list", "{}", .fleetList),
        Row("fleet.show", #"{"fleet":"a"}"#, .fleetShow(fleet: "a")),
        Row("fleet.start", #"{"fleet":"a"}"#, .fleetStart(fleet: "a")),
        Row("fleet.pause", #"{"fleet":"a"}"#, .fleetPause(fleet: "a")),
        Row("fleet.resume", #"{"fleet":"a"}"#, .fleetResume(fleet: "a")),
        Row("fleet.stop", #"{"fleet":"a"}"#, .fleetStop(fleet: "a")),
        Row("fleet.delete", #"{"fleet":"a"}"#, .fleetDelete(fleet: "a")),
        Row("fleet.rate", #"{"fleet":"a","rate":"60x"}"#, .fleetRate(fleet: "a", rate: .ratio(60))),
        Row("funnel", #"{"fleet":"a"}"#, .funnel(fleet: "a", view: view)),
        Row("metrics", #"{"fleet":"a","format":"text","width":1000,"color":true}"#, .metrics(fleet: "a", view: wide)),
        Row("funnel.subscribe", #"{"fleet":"a"}"#, .funnelSubscribe(fleet: "a", everySeconds: 1, view: view)),
        Row("funnel.subscribe", #"{"fleet":"a","every_seconds":1e-1,"format":"json"}"#, .funnelSubscribe(fleet: "a", everySeconds: 0.1, view: view)),
        Row("watch", #"{"fleet":"a"}"#, .watch(fleet: "a", types: [], where: nil)),
        Row("watch", #"{"fleet":"a","types":["prompt","status"],"where":"ios = 17"}"#, .watch(fleet: "a", types: ["prompt", "status"], where: "ios = 17")),
        Row("unsubscribe", #"{"subscription":"s1"}"#, .unsubscribe(subscription: "s1")),
        Row("device.list", #"{"fleet":"a","where":null,"after":null}"#, .deviceList(fleet: "a", where: nil, limit: 20, after: nil)),
        Row("device.list", #"{"fleet":"a","limit":10000,"after":4294967295}"#, .deviceList(fleet: "a", where: nil, limit: 10_000, after: .max)),
        Row("why", #"{"fleet":"a","device":4294967295,"from":7,"format":"text","width":1000,"color":true}"#, .why(fleet: "a", device: .max, arm: nil, from: 7, view: wide)),
        Row("device.why", #"{"fleet":"a","device":0}"#, .why(fleet: "a", device: 0, arm: nil, from: 0, view: view)),
        Row("device.show", #"{"fleet":"a","device":7,"arm":"x"}"#, .deviceShow(fleet: "a", device: 7, arm: "x")),
        Row("fleet.step", #"{"fleet":"a","span":"1h"}"#, .fleetStep(fleet: "a", span: "1h")),
        Row("fleet.until", #"{"fleet":"a","until":"day > 3"}"#, .fleetUntil(fleet: "a", until: "day > 3")),
        Row("fleet.fork", #"{"fleet":"a","name":"b"}"#, .fleetFork(fleet: "a", name: "b", at: nil, paused: false, rate: nil)),
        Row("fleet.fork", #"{"fleet":"a","name":"b","at":"3d","paused":true,"rate":"2x"}"#, .fleetFork(fleet: "a", name: "b", at: "3d", paused: true, rate: .ratio(2))),
        Row("fleet.export", #"{"fleet":"a"}"#, .fleetExport(fleet: "a")),
        Row("blob.get", #"{"fleet":"a","sha256":"\#(hash)","offset":9}"#, .blobGet(fleet: "a", sha256: hash, offset: 9)),
        Row("jobs", "{}", .jobs),
        Row("wait", #"{"job":"j1"}"#, .wait(fleet: nil, job: "j1", withinSeconds: 60)),
        Row("wait", #"{"fleet":"a","within_seconds":0}"#, .wait(fleet: "a", job: nil, withinSeconds: 0)),
        Row("intervene", #"{"fleet":"a","do":"settings","value":"never"}"#, .intervene(fleet: "a", where: nil, share: 1, do: "settings", value: .string("never"))),
        Row("intervene", #"{"fleet":"a","where":"day > 3","share":0.5,"do":"d","value":-2.5}"#, .intervene(fleet: "a", where: "day > 3", share: 0.5, do: "d", value: .number(-2.5))),
        Row("intervene", #"{"fleet":"a","do":"d","value":true}"#, .intervene(fleet: "a", where: nil, share: 1, do: "d", value: .bool(true))),
        Row("intervene", #"{"fleet":"a","do":"d","value":null}"#, .intervene(fleet: "a", where: nil, share: 1, do: "d", value: .null)),
        Row("intervene", #"{"fleet":"a","do":"d","value":{"a":1,"b":null,"c":"x"}}"#, .intervene(fleet: "a", where: nil, share: 1, do: "d", value: .object([.init("a", .number(1)), .init("b", .null), .init("c", .string("x"))]))),
        Row("intervene", #"{"fleet":"a","do":"d","value":"x.lua","sha256":"\#(hash)","options":{}}"#, .intervene(fleet: "a", where: nil, share: 1, do: "d", value: .string("x.lua"), sha256: hash, options: .object([]))),
        Row("intervene", #"{"fleet":"a","do":"d","sha256":null}"#, .intervene(fleet: "a", where: nil, share: 1, do: "d", value: nil)),
        Row("intervene", #"{"fleet":"a","do":"d"}"#, .intervene(fleet: "a", where: nil, share: 1, do: "d", value: nil)),
    ]

    @Test("decode", arguments: rows)
    func decodes(_ row: Row) throws {
        #expect(try Self.decode(row.method, row.parameters).get() == row.request)
    }

    @Test("have a row here for every method, and a summary")
    func complete() {
        #expect(Set(Self.rows.map(\.method)) == Set(ControlMethod.allCases.map(\.name)))
        #expect(ControlMethod.allCases.allSatisfy { !$0.summary.isEmpty })
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let method: String
        let parameters: String
        let code: ControlError.Code
        let message: String
        let parameter: String
        var testDescription: String { "\(method) \(parameters.prefix(80))" }

        init(
            _ method: String, _ parameters: String, _ code: ControlError.Code, _ message: String,
            _ parameter: String
        ) {
            (self.method, self.parameters, self.code) = (method, parameters, code)
            (self.message, self.parameter) = (message, parameter)
        }
    }

    private static let nameClaim =
        "is 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-', not beginning with '.' or '-'"
    private static let hashClaim = "is a SHA-256 as 64 hexadecimal digits in lower case"
    private static let rateClaim =
        #"is "max", or a ratio to wall time in 0.001...1000000 such as "60x" or "0.5x""#
    private static let valueClaim =
        "is a string of up to 4096 bytes, a finite number, true, false, null, or an object of such "
        + "values"
    private static let long = String(repeating: "a", count: 4_097)

    // swift-format-ignore
    static let refusals: [Refusal] = [
        Refusal("daemon.status", #"{"now":1}"#, .unknownParameter, #"unknown parameter "now""#, "now"),
        Refusal("fleet.create", #"{"name":"a","bundle":"\#(hash)","puased":true}"#, .unknownParameter, #"unknown parameter "puased"; did you mean "paused"?"#, "puased"),
        Refusal("fleet.create", #"{"name":"a"}"#, .missingParameter, #""bundle" is missing"#, "bundle"),
        Refusal("fleet.create", #"{"bundle":"\#(hash)"}"#, .missingParameter, #""name" is missing"#, "name"),
        Refusal("fleet.create", #"{"name":"","bundle":"\#(hash)"}"#, .invalidParameter, #""name" \#(nameClaim)"#, "name"),
        Refusal("fleet.create", #"{"name":".a","bundle":"\#(hash)"}"#, .invalidParameter, #""name" \#(nameClaim)"#, "name"),
        Refusal("fleet.create", #"{"name":"-a","bundle":"\#(hash)"}"#, .invalidParameter, #""name" \#(nameClaim)"#, "name"),
        Refusal("fleet.create", #"{"name":"a/b","bundle":"\#(hash)"}"#, .invalidParameter, #""name" \#(nameClaim)"#, "name"),
        Refusal("fleet.create", #"{"name":"é","bundle":"\#(hash)"}"#, .invalidParameter, #""name" \#(nameClaim)"#, "name"),
        Refusal("fleet.create", #"{"name":"\#(long.prefix(65))","bundle":"\#(hash)"}"#, .invalidParameter, #""name" \#(nameClaim)"#, "name"),
        Refusal("fleet.create", #"{"name":"a","bundle":"\#(hash.uppercased())"}"#, .invalidParameter, #""bundle" \#(hashClaim), with or without "sha256:" before them"#, "bundle"),
        Refusal("fleet.create", #"{"name":"a","bundle":"6f"}"#, .invalidParameter, #""bundle" \#(hashClaim), with or without "sha256:" before them"#, "bundle"),
        Refusal("fleet.create", #"{"name":"a","bundle":"\#(hash)","paused":1}"#, .invalidParameter, #""paused" is true or false"#, "paused"),
        Refusal("fleet.create", #"{"name":"a","bundle":"\#(hash)","rate":60}"#, .invalidParameter, #""rate" \#(rateClaim)"#, "rate"),
        Refusal("fleet.create", #"{"name":"a","bundle":"\#(hash)","by":["arm"]}"#, .invalidParameter, #""by" is a list of "persona" and "ios", each at most once"#, "by"),
        Refusal("fleet.create", #"{"name":"a","bundle":"\#(hash)","by":["ios","ios"]}"#, .invalidParameter, #""by" is a list of "persona" and "ios", each at most once"#, "by"),
        Refusal("fleet.rate", #"{"fleet":"a"}"#, .missingParameter, #""rate" is missing"#, "rate"),
        Refusal("fleet.rate", #"{"fleet":"a","rate":"1000001x"}"#, .invalidParameter, #""rate" \#(rateClaim)"#, "rate"),
        Refusal("fleet.show", #"{"name":"a"}"#, .unknownParameter, #"unknown parameter "name""#, "name"),
        Refusal("blob.have", #"{"sha256":[]}"#, .invalidParameter, #""sha256" is a list of 1 to 1024, each \#(hashClaim.dropFirst(3))"#, "sha256"),
        Refusal("blob.have", #"{"sha256":"\#(hash)"}"#, .invalidParameter, #""sha256" is a list of 1 to 1024, each \#(hashClaim.dropFirst(3))"#, "sha256"),
        Refusal("blob.put", #"{"sha256":"\#(hash)","offset":0,"base64":"aGk"}"#, .invalidParameter, #""base64" is base64, padded and without spaces"#, "base64"),
        Refusal("blob.put", #"{"sha256":"\#(hash)","offset":-1,"base64":""}"#, .invalidParameter, #""offset" is a whole number in 0...9007199254740991"#, "offset"),
        Refusal("blob.put", #"{"sha256":"\#(hash)","offset":9223372036854775807,"base64":""}"#, .invalidParameter, #""offset" is a whole number in 0...9007199254740991"#, "offset"),
        Refusal("funnel", #"{"fleet":"a","format":"xml"}"#, .invalidParameter, #""format" is "json" or "text""#, "format"),
        Refusal("funnel", #"{"fleet":"a","width":19}"#, .invalidParameter, #""width" is a whole number in 20...1000"#, "width"),
        Refusal("funnel.subscribe", #"{"fleet":"a","every_seconds":0.09}"#, .invalidParameter, #""every_seconds" is a number in 0.1...86400"#, "every_seconds"),
        Refusal("funnel.subscribe", #"{"fleet":"a","every_seconds":1e999}"#, .invalidParameter, #""every_seconds" is a number in 0.1...86400"#, "every_seconds"),
        Refusal("watch", #"{"fleet":"a","types":"prompt"}"#, .invalidParameter, #""types" is a list of up to 64, each a string of 1 to 4096 bytes"#, "types"),
        Refusal("watch", #"{"fleet":"a","where":"\#(long)"}"#, .invalidParameter, #""where" is a string of 1 to 4096 bytes"#, "where"),
        Refusal("unsubscribe", #"{"subscription":1}"#, .invalidParameter, #""subscription" is a string of 1 to 4096 bytes"#, "subscription"),
        Refusal("device.list", #"{"fleet":"a","limit":10001}"#, .invalidParameter, #""limit" is a whole number in 1...10000"#, "limit"),
        Refusal("device.list", #"{"fleet":"a","limit":1.0}"#, .invalidParameter, #""limit" is a whole number in 1...10000"#, "limit"),
        Refusal("why", #"{"fleet":"a","device":-1}"#, .invalidParameter, #""device" is a whole number in 0...4294967295"#, "device"),
        Refusal("why", #"{"fleet":"a","device":4294967296}"#, .invalidParameter, #""device" is a whole number in 0...4294967295"#, "device"),
        Refusal("intervene", #"{"fleet":"a","do":"d","share":0}"#, .invalidParameter, #""share" is a number over 0 and up to 1"#, "share"),
        Refusal("intervene", #"{"fleet":"a","do":"d","share":1.01}"#, .invalidParameter, #""share" is a number over 0 and up to 1"#, "share"),
        Refusal("intervene", #"{"fleet":"a","do":"d","value":[1]}"#, .invalidParameter, #""value" \#(valueClaim)"#, "value"),
        Refusal("intervene", #"{"fleet":"a","do":"d","value":{"a":{"b":1}}}"#, .invalidParameter, #""value" \#(valueClaim)"#, "value"),
        Refusal("intervene", #"{"fleet":"a","do":"d","value":{"a":[]}}"#, .invalidParameter, #""value" \#(valueClaim)"#, "value"),
        Refusal("intervene", #"{"fleet":"a","do":"d","sha256":"00"}"#, .invalidParameter, #""sha256" \#(hashClaim)"#, "sha256"),
        Refusal("intervene", #"{"fleet":"a","do":"d","value":1e999}"#, .invalidParameter, #""value" \#(valueClaim)"#, "value"),
        Refusal("intervene", #"{"fleet":"a"}"#, .missingParameter, #""do" is missing"#, "do"),
    ]

    @Test("say what is wrong and what would be accepted", arguments: refusals)
    func refuses(_ row: Refusal) {
        let expected = ControlError(row.code, row.message, parameter: row.parameter)
        #expect(Self.decode(row.method, row.parameters) == .failure(expected))
    }
}
