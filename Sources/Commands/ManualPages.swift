import ControlProtocol

/// The manual pages of the three programs.
enum ManualPages {
    static var locfleet: String {
        var page = ManualPage("locfleet", 1, about: "simulate fleets of iOS devices")
        page.section("SYNOPSIS")
        page.synopsis("locfleet VERB ...")
        page.section("DESCRIPTION")
        page.paragraph(
            "Locfleet simulates a fleet of people with iOS devices and one app: who grants it "
                + "location, when, and why not. Verbs about a FLEET ask locfleetd(8), which has to "
                + "run; the others work in their own process.")
        page.section("VERBS")
        for verb in Verb.all {
            page.part("\(verb.name) \(verb.usage)")
            page.paragraph(sentence(verb.summary))
            page.options(verb.options)
            if !verb.statuses.isEmpty {
                let statuses = verb.statuses.map { "\($0.status): \($0.about)" }
                page.paragraph("Exit status " + statuses.joined(separator: "; ") + ".")
            }
            page.example(verb.examples)
        }
        page.section("EXIT STATUS")
        statuses(&page)
        page.section("ENVIRONMENT")
        page.entry("LOCFLEET_SOCKET", "The daemon's socket, where --socket does not name another.")
        page.entry("NO_COLOR", "Where it is set and not empty nothing is coloured.")
        seeAlso(&page, "locfleetd(8), locfleet-bench(1)")
        return page.text
    }

    static var locfleetd: String {
        var page = ManualPage("locfleetd", 8, about: "run fleets for locfleet in the background")
        page.section("SYNOPSIS")
        page.synopsis("locfleetd [options]")
        page.section("DESCRIPTION")
        page.paragraph(
            "Runs fleets of simulated devices until it is told to stop, and answers JSON-RPC 2.0 "
                + "on a Unix socket, one message a line. \"jsonrpc\" may be left out.")
        page.section("OPTIONS")
        page.options(DaemonTool.options)
        page.section("METHODS")
        for method in ControlMethod.allCases { describe(method, on: &page) }
        page.section("ERRORS")
        page.paragraph("The stable word of an error is in error.data.code.")
        for code in ControlError.Code.allCases {
            page.entry("\(code.rawValue) (\(code.number))", sentence(code.about))
        }
        page.section("FILES")
        page.entry(
            "$XDG_RUNTIME_DIR/locfleet.sock",
            "The socket; for root without that variable /run/locfleet/locfleet.sock, else "
                + "/tmp/locfleet-UID/locfleet.sock.")
        page.entry(
            DaemonFile.standardPath,
            "An object of JSON5 with the long options for keys, _ for -, where --config names no "
                + "other. Options win. SIGHUP and 'locfleet daemon reload' read it again.")
        page.section("ENVIRONMENT")
        page.entry("LOCFLEET_SOCKET", "Where to listen, where --socket does not say.")
        page.entry(
            "LISTEN_FDS, LISTEN_PID, LISTEN_FDNAMES",
            "A listening Unix socket that is served instead: see sd_listen_fds(3).")
        page.entry(
            "NOTIFY_SOCKET, WATCHDOG_USEC",
            "Who is told that the daemon is ready, reloads, stops and lives: see sd_notify(3).")
        page.entry("STATE_DIRECTORY", "Where fleets are kept, where --state does not say.")
        page.section("EXIT STATUS")
        page.entry("0", "It was asked to stop, and did.")
        page.entry(
            "1",
            "The socket cannot be served, or the state folder cannot be used: another daemon has "
                + "it, or it cannot be written.")
        page.entry("2", "Wrong usage.")
        page.section("EXAMPLES")
        page.example(DaemonTool.exampleLines)
        seeAlso(&page, "locfleet(1)")
        return page.text
    }

    static var bench: String {
        var page = ManualPage("locfleet-bench", 1, about: "measure how fast Locfleet is")
        page.section("SYNOPSIS")
        page.synopsis("locfleet-bench [options]")
        page.section("DESCRIPTION")
        page.paragraph(
            "Runs the reference workload in Locfleet and in native programs, in turn, and prints "
                + "figures, what is due of them and what they last were.")
        page.section("OPTIONS")
        page.options(BenchTool.options + BenchTool.others)
        page.section("EXIT STATUS")
        page.entry("0", "Done.")
        page.entry("1", "Something could not be run.")
        page.entry("2", "Wrong usage.")
        page.entry(
            "3", "A count is wrong, or a figure is worse than the recorded one by more than noise.")
        seeAlso(&page, "locfleet(1)")
        return page.text
    }

    private static func describe(_ method: ControlMethod, on page: inout ManualPage) {
        page.part(method.name)
        page.paragraph(
            sentence(method.summary) + (method.verb.map { " Verb: locfleet \($0)." } ?? ""))
        for entry in method.parameters {
            page.entry(
                entry.name, sentence(MethodHelp.about(entry, orElse: MethodHelp.leftOut)))
        }
        let members = MethodHelp.members(of: method.result)
        if !members.isEmpty { page.paragraph("Result:") }
        for entry in members {
            page.entry(
                entry.name, sentence(MethodHelp.about(entry, orElse: MethodHelp.missing)))
        }
        page.paragraph(
            "Refusals: " + method.errors.map(\.rawValue).joined(separator: ", ") + ".")
        page.example([MethodHelp.call(method)])
    }

    private static func statuses(_ page: inout ManualPage) {
        for (status, about) in ExitStatus.meanings { page.entry(status, sentence(about)) }
    }

    private static func seeAlso(_ page: inout ManualPage, _ names: String) {
        page.section("SEE ALSO")
        page.paragraph(names)
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}
