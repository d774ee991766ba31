import Testing

extension DaemonSuite {
    @Suite("An instant that a client names")
    struct InstantTests {
        @Test(
            "is refused where it is before the start, or no instant, and the daemon goes on",
            arguments: [
                "2026-01-04T23:59:59", "2026-01-04", "1000-01-01", "0001-01-01", "9999-12-31",
                "2026-02-30", "-1d", "99999999999d", "",
            ])
        func instants(text: String) throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create("a", try bundle(devices: 10, days: 2), #","paused":true"#)
            let codes: Set = ["invalid_parameter", "wrong_state"]
            let fork = try client.refusal(
                "fleet.fork", #"{"fleet":"a","name":"b","at":"\#(text)"}"#)
            #expect(codes.contains(fork.code), "\(fork)")
            let until = try client.ask("fleet.until", #"{"fleet":"a","until":"\#(text)"}"#)
            if text.hasPrefix("9999") {
                #expect(until["error"] == nil || until["error"]?["data"]?["code"]?.string != nil)
            } else {
                let code = try #require(until["error"]?["data"]?["code"]?.string, "\(until.text)")
                #expect(codes.contains(code), "\(until.text)")
            }
            #expect(try client.show("a")["state"]?.string != nil)
        }
    }
}
