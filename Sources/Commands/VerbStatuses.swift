/// What the shell sees of verbs that have more to say than done and refused.
extension Verb {
    typealias Status = (status: String, about: String)

    /// In the order of the numbers; empty where `ExitStatus.meanings` say it all.
    var statuses: [Status] {
        switch name {
        case "run":
            [
                ("0", "it ran; of an export: with the digest of the fleet"),
                ("1", "it failed, or had more script failures than the scenario allows"),
                (
                    "3",
                    "a threshold is missed at its end (of an export only where the fleet had "
                        + "ended), or the digest is not that of the fleet that was exported"
                ),
            ]
        case "metrics":
            [("0", "done"), ("3", "the fleet has ended, and missed a threshold")]
        case "wait":
            [
                ("0", "the fleet has finished, or the job is where it was to come to"),
                ("1", "the fleet was stopped or failed, or the job was cut short by somebody"),
                ("3", "the fleet missed a threshold, or ended before the job came there"),
                Self.timedOut, Self.interrupted,
            ]
        case "fleet step", "fleet until", "fleet fork":
            [
                ("0", "it is there; with --no-wait: it has begun"),
                ("1", "refused, or cut short: somebody did something else to the fleet"),
                ("3", "the fleet ended before it came there"), Self.timedOut, Self.interrupted,
            ]
        case "fleet export":
            [
                ("0", "the folder is whole"),
                (
                    "1",
                    "refused, it cannot be written, or the fleet ran on while its devices were read"
                ),
                ("2", "-o names what is there already, or lies in no folder"),
                ("124", "the time of --timeout is up; nothing is written"),
            ]
        case "doctor":
            [("0", "nothing stands in the way of the run"), ("3", "something would make it fail")]
        default: []
        }
    }

    private static let timedOut: Status = (
        "124", "the time of --timeout is up; what was waited for goes on"
    )
    private static let interrupted: Status = ("130", "Ctrl-C; what was waited for goes on")
}
