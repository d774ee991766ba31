import AuthorizationCore
import DeviceCore
import LuaScripting
import SimPrimitives
import Simulation

/// What a test has a device do: a verb of `device`, with its arguments read.
enum DeviceAct {
    case launch, leave, terminate, move
    case reinstall(SimDuration)
    case tap(Int)
    case answer(Choice, isPrecise: Bool)
    case answerPrimer(PrimerAnswer)
    case answerSettingsAlert(SettingsAlertAnswer)
    case person(PhoneAct)
    case failPositions(Bool)
    case wait(SimDuration)

    /// - Parameter verb: one that `Prelude/tests.lua` lists.
    init(
        _ verb: String, _ arguments: inout TestArguments, features: [String], _ hasBehavior: Bool
    ) throws(TestRefusal) {
        switch verb {
        case "launch": self = .launch
        case "leave", "background": self = .leave
        case "terminate": self = .terminate
        case "move": self = .move
        case "force_quit": self = .person(.forceQuit)
        case "delete_app": self = .person(.deleteApp)
        case "reinstall": self = .reinstall(try arguments.span(.seconds(10)))
        case "reboot": self = .person(.reboot)
        case "migrate_device": self = .person(.migrateDevice)
        case "reset_location_privacy": self = .person(.resetLocationPrivacy)
        case "place_widget": self = .person(.placeWidget)
        case "tap_location_button": self = .person(.tapLocationButton)
        case "precise": self = .person(.precise(try arguments.flag()))
        case "location_services": self = .person(.locationServices(try arguments.flag()))
        case "restrict_location": self = .person(.restriction(try arguments.flag()))
        case "background_app_refresh": self = .person(.backgroundRefresh(try arguments.flag()))
        case "settings":
            self = .person(.settings(try arguments.word(SettingsRow.self, "a row of Settings")))
        case "upgrade_os":
            let text = try arguments.text("a version such as \"26.0\"")
            guard let version = IOSVersion(text) else {
                throw TestRefusal(
                    "upgrade_os: there is no iOS \(shown(text)); there are 8.0 to 18.7 and 26.0 "
                        + "to 26.9")
            }
            self = .person(.upgradeOS(version))
        case "tap":
            let name = try arguments.text("the name of a feature")
            guard let feature = features.firstIndex(of: name) else {
                throw TestRefusal(
                    "the app has no feature \(shown(name))" + hint(name, among: features)
                        + " (the file names them: features = { … })")
            }
            self = .tap(feature)
        case "answer":
            let choice = try arguments.word(Choice.self, "a button")
            let options = try arguments.options(["precise"])
            self = .answer(choice, isPrecise: try options.flag("precise", or: true))
        case "answer_primer":
            self = .answerPrimer(try arguments.word(PrimerAnswer.self, "an answer to a primer"))
        case "answer_settings_alert":
            self = .answerSettingsAlert(
                try arguments.word(SettingsAlertAnswer.self, "an answer to the app's alert"))
        case "fail_positions": self = .failPositions(try arguments.flag())
        case "run":
            guard hasBehavior else {
                throw TestRefusal(
                    "nobody lives with this device: wait(\"2d\") lets time pass, and run() is for "
                        + "files with a behavior")
            }
            self = .wait(try arguments.span())
        case "wait": self = .wait(try arguments.span())
        default: throw TestRefusal("a device cannot \(shown(verb))")
        }
    }

    func perform(on stage: inout DeviceStage) throws(DeviceStage.Failure) {
        switch self {
        case .launch: try stage.launch()
        case .leave: try stage.leave()
        case .terminate: try stage.terminate()
        case .move: try stage.move()
        case .reinstall(let wait):
            try stage.perform(.reinstall(after: wait))
            try stage.wait(max(wait, .seconds(10)))
        case .tap(let feature): try stage.tap(feature)
        case .answer(let choice, let isPrecise):
            try stage.answer(choice, isPrecise: isPrecise)
        case .answerPrimer(let answer): try stage.answerPrimer(answer)
        case .answerSettingsAlert(let answer): try stage.answerSettingsAlert(answer)
        case .person(let act): try stage.perform(act)
        case .failPositions(let on): stage.failsPositions = on
        case .wait(let span): try stage.wait(span)
        }
    }
}
