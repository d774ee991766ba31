import AuthorizationCore

/// The location button: section 12 of the specification. Widgets need nothing of the process.
extension Phone {
    /// X7: a button that is not on screen cannot be tapped.
    mutating func tapLocationButton(
        isReadable: Bool, _ play: inout Play, _ context: AuthorizationContext
    ) {
        guard process == .foreground else { return }
        reduce(.tappedLocationButton(isReadable: isReadable), &play, context)
    }
}
