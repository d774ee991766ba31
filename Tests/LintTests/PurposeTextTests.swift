import Testing

@testable import Lint

@Suite("A purpose text")
struct PurposeTextTests {
    private func judge(_ text: String) -> PurposeText {
        PurposeText.judge(
            text, key: "NSLocationWhenInUseUsageDescription", appNames: ["Acme Go"])
    }

    static let placeholders = [
        // Stubs, alone and in company.
        "test", "Test", "testing", "test 1", "Test123", "This is a test", "just a test.", "foo",
        "foo bar", "dummy text", "sample", "Example text", "TBD", "tba", "n/a", "N/A", "none",
        "null", "(null)", "undefined", "string", "Description", "reason", "Title", "temp", "wip",
        "hello world", "Lorem ipsum dolor sit amet", "blah blah blah", "Location test",
        "Testing location", "for testing purposes", "Demo app uses location",
        // No words.
        "xxx", "xx xx", "XX" + "X", "aaa", "...", "-", "?", "123", "asdf", "asdfgh", "qwerty",
        "asdasd", "sdfsdf", "x", "abcabc",
        // Marks of templates and formats.
        "{{LOCATION_TEXT}}", "{{ location.text }}", "Acme {{why}} near you", "<#reason#>",
        "<reason>", "<your reason here>", "[INSERT REASON]", "[reason]", "%@ shows stores near you",
        "%1$@ uses maps", "#{text}", "%{text}", "<%= text %>", "@LOCATION_TEXT@", "__REASON__",
        "$LOCATION_TEXT", "$(WHY NOT)", "$(UNCLOSED", "${}", "{appName} shows stores near you",
        // Names out of the code.
        "location_permission_text", "YOUR_DESCRIPTION", "permissions.location.whenInUse",
        "LOCATION_WHEN_IN_USE", "ios.location-usage.text",
        // Words to the developer.
        "Enter your reason here", "Add description", "Describe why the app needs location",
        "Explain why you need location", "Replace this", "Replace this text",
        "Insert a description of the purpose here", "Describe how your app uses location",
        "Your message here", "Text to be added", "Usage description goes here", "Coming soon",
        "Privacy - Location When In Use Usage Description",
    ]

    @Test("that nobody has written yet is a placeholder", arguments: placeholders)
    func placeholder(_ text: String) {
        guard case .placeholder = judge(text) else {
            Issue.record("\(text): \(judge(text))")
            return
        }
    }

    static let generic = [
        "Your location is used to provide location-based services.",
        "Location is required for the core functionality of this app",
        "This app requires location to function.", "Acme Go needs your location.",
        "We need your location.", "Allow location access", "Location", "GPS", "location permission",
        "We use your location to improve your experience",
        "To provide you with a better and more personalized experience.",
        "Your location is needed for certain features.", "Used for app functionality",
        "Acme Go would like to access your location",
        "This app needs access to location when open.",
        "Location services are necessary for the proper operation of the application.",
        "To deliver a seamless user experience.",
        "Please allow location so the app can run properly",
        "Some features require your precise location in order to work correctly.",
        "Used to determine your current location.",
        "We collect location data to improve our services",
        "To show relevant content based on your location.", "This application uses GPS.",
        "Your position is used to optimize the quality of our product.",
        "We can’t work without your location.", "The app runs in the background.",
        "To enable all functionalities of the platform", "Location is essential for this app",
    ]

    @Test("that any app could have is generic", arguments: generic)
    func isGeneric(_ text: String) {
        #expect(judge(text) == .generic)
    }

    static let fine = [
        "Shows the stores around you.", "Finds sweets near your location.",
        "We use your location to track your run.", "Track your order on its way to you.",
        "To deliver your order we need to know where you are.", "We deliver to your location.",
        "Your location is used to show nearby restaurants.", "Used for turn-by-turn navigation",
        "To show the weather where you are.", "Adds places to the photos that you take.",
        "Your position is drawn on the map.", "Drivers see where to pick you up.",
        "Shares your location with friends whom you choose.", "Records the route of your workout.",
        "Warns you of storms in your area.", "Finds charging stations along your route.",
        "To test drive cars near you, we look for dealers around.", "Logs your trips for tax.",
        "Reminds you when you get home.", "Unlocks the scooter next to you.",
        "Write a message for friends who come to this place.", "Tell how far you ran.",
        "Add a description to photos of places.", "Explain what you see around you.",
        "Add friends here", "Location is used to find parking.", "Check in at the gym.",
        "Finds the nearest blood sample station.", "Used to verify your clock-in at work.",
        "Sorts departures by distance.", "Detects fraud with your card.",
        "Location is used for ads near you.", "Tags your notes.",
        "Geofences start your smart home.",
        "Prices below 5 $ (or less) around you", "Saves 100% of your walks: every step counts.",
        "Example: shows the tide at the beach where you are.", "See bus times at this stop (live).",
        "This lets you see live scores from the stadium you're in.",
        "Speed and altitude of your ride",
        // In other languages.
        "Muestra las tiendas en todo momento", "Zeigt Läden in deiner Nähe.", "附近のお店を表示します。",
        "用于显示附近的商店", "Показывает магазины рядом с вами.", "Affiche les magasins autour de vous.",
        "주변 매장을 보여 줍니다.", "يعرض المتاجر القريبة منك",
    ]

    @Test("that names a feature is fine", arguments: fine)
    func isFine(_ text: String) {
        #expect(judge(text) == .fine)
    }

    // swift-format-ignore
    static let variables: [(String, [String], String)] = [
        ("$(PRODUCT_NAME) shows stores", ["$(PRODUCT_NAME)"], " shows stores"),
        ("${A} and $(B:rfc1034identifier)", ["${A}", "$(B:rfc1034identifier)"], " and "),
        ("5 $ (or less)", [], "5 $ (or less)"),
        ("$(TWO WORDS) $() $(OPEN $NAME", [], "$(TWO WORDS) $() $(OPEN $NAME"),
    ]

    @Test("has the variables that Xcode would fill in", arguments: variables)
    func expanded(_ text: String, _ names: [String], _ rest: String) {
        let found = PurposeText.variables(in: text)
        #expect(found.names == names)
        #expect(found.rest == rest)
    }
}
