/// What one device may have and do at most, whatever scripts ask for.
public enum EngineLimits {
    /// Hooks of an app at one instant; then what it still asks for is dropped.
    public static let hooksPerInstant = DeviceRunner.hooksPerEventMax
    /// Prompts at one instant; then people press what changes least.
    public static let promptsPerInstant = DeviceRunner.promptsPerEventMax
    /// Location managers of a process.
    public static let managers = LocationObjects.managerCountMax
}
