import Foundation
import TestSupport
import Testing

/// In the shells themselves, with a daemon that has two fleets. Bash is always there; zsh and fish
/// are asked where they are.
@Suite("Completions")
struct CompletionTests {
    /// What is typed up to the cursor, and what is offered.
    // swift-format-ignore
    static let rows: [(line: String, offers: [String])] = [
        ("fl", ["fleet"]),
        ("fleet sto", ["stop"]),
        ("fleet show ", ["demo", "other"]),
        ("fleet rate ot", ["other"]),
        ("fleet rate demo m", ["max"]),
        ("funnel --timeout 3 d", ["demo"]),
        ("intervene demo --do set", ["settings"]),
        ("watch demo --type sett", ["settings", "settings_alert"]),
        ("run config/scenarios/progr", ["config/scenarios/progressive.json5"]),
        ("run --devi", ["--devices"]),
        ("run --by persona,", ["persona,ios"]),
        ("help fleet.p", ["fleet.pause"]),
        ("rpc rpc.", ["rpc.discover"]),
        ("new strat", ["strategy"]),
        ("why ot", ["other"]),
        ("fleet list oth", []),
    ]

    private func withFleets(_ body: ([String: String]) throws -> Void) throws {
        let folder = try ScratchFolder()
        let tools = Program.url("locfleet").deletingLastPathComponent().path(percentEncoded: false)
        let environment = [
            "LOCFLEET_SOCKET": folder.path("s"), "PATH": "\(tools):/usr/bin:/bin",
            "HOME": folder.url.path,
        ]
        let daemon = try Program.started(
            ["--no-state"], environment: environment, executable: Program.url("locfleetd"))
        defer { daemon.process.terminate() }
        let deadline = Date.now + 20
        while !FileManager.default.fileExists(atPath: folder.path("s")), Date.now < deadline {
            usleep(10_000)
        }
        for name in ["demo", "other"] {
            let made = try Program.locfleet(
                [
                    "fleet", "create", "config/scenarios/progressive.json5", "--devices", "20",
                    "--paused", "--name", name,
                ], environment: environment)
            try #require(made.status == 0, "\(made.error)")
        }
        try body(environment)
    }

    private func run(
        _ shell: String, _ words: [String], _ environment: [String: String]
    ) throws -> Program {
        try Program.started(
            words, environment: environment, executable: URL(filePath: "/usr/bin/\(shell)")
        ).wait()
    }

    private func words(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).sorted()
    }

    @Test("are offered by bash")
    func bash() throws {
        try withFleets { environment in
            for row in Self.rows {
                // As bash itself does: the words, and the place of the cursor's.
                let script = """
                    . config/completions/locfleet.bash
                    read -ra COMP_WORDS <<< "locfleet \(row.line)"
                    [[ "\(row.line)" == *" " ]] && COMP_WORDS+=("")
                    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                    _locfleet
                    printf '%s\\n' "${COMPREPLY[@]}"
                    """
                let program = try run("bash", ["--norc", "-c", script], environment)
                #expect(program.error.isEmpty, "\(row.line): \(program.error)")
                #expect(words(program.out) == row.offers.sorted(), "\(row.line)")
            }
            let equal = """
                . config/completions/locfleet.bash
                COMP_WORDS=(locfleet watch demo --type = pri); COMP_CWORD=5; _locfleet
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            #expect(try run("bash", ["--norc", "-c", equal], environment).out == "primer\n")
        }
    }

    @Test("are offered by fish")
    func fish() throws {
        guard GeneratedFilesTests.isThere("fish") else { return }
        try withFleets { environment in
            for row in Self.rows {
                let script = """
                    source config/completions/locfleet.fish
                    complete -C 'locfleet \(row.line)' | string split -f 1 \\t
                    """
                let program = try run("fish", ["--no-config", "-c", script], environment)
                #expect(program.error.isEmpty, "\(row.line): \(program.error)")
                #expect(words(program.out) == row.offers.sorted(), "\(row.line)")
            }
        }
    }

    @Test("are offered by zsh")
    func zsh() throws {
        guard GeneratedFilesTests.isThere("zsh") else { return }
        try withFleets { environment in
            // The functions that show offers say them instead, as the line editor is not there.
            let script = """
                source =(sed '$d' config/completions/_locfleet)
                compadd() {
                    while [[ $1 == -* && $1 != -a ]]; do shift; done
                    if [[ $1 == -a ]]; then print -rl -- ${(P)2}; else print -rl -- $@; fi
                }
                _describe() { print -rl -- ${${(P)4-${(P)3}}%%:*}; }
                _arguments() { print -rl -- "$@"; }
                words=(locfleet "$@"); CURRENT=$#words; _locfleet
                """
            let verbs = try run("zsh", ["-f", "-c", script, "zsh", "fleet", ""], environment)
            #expect(verbs.error.isEmpty && words(verbs.out).contains("start"), "\(verbs.error)")
            let first = try run("zsh", ["-f", "-c", script, "zsh", ""], environment)
            #expect(Set(words(first.out)).isSuperset(of: ["fleet", "run", "help"]))
            let show = try run(
                "zsh", ["-f", "-c", script, "zsh", "fleet", "show", ""], environment)
            #expect(show.out.contains("1:FLEET:_locfleet_fleets"), "\(show.out)\(show.error)")
            let fleets = try run(
                "zsh", ["-f", "-c", script + "\n_locfleet_fleets", "zsh", "rpc", ""], environment)
            #expect(Set(words(fleets.out)).isSuperset(of: ["demo", "other"]), "\(fleets.error)")
        }
    }

    @Test("ask nobody aloud where there is no daemon")
    func quiet() throws {
        let script = """
            . config/completions/locfleet.bash
            COMP_WORDS=(locfleet fleet show ""); COMP_CWORD=3; _locfleet
            printf '%s' "${COMPREPLY[@]}"
            """
        let program = try run("bash", ["--norc", "-c", script], ["LOCFLEET_SOCKET": "/nowhere/s"])
        #expect(program.out.isEmpty && program.error.isEmpty, "\(program.error)")
    }
}
