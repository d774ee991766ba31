import DeviceCore
import Testing

@Suite("A phone as a value")
struct PhoneSizeTests {
    /// A fleet of a million devices holds a million of them.
    @Test("takes less than 96 bytes")
    func size() {
        #expect(MemoryLayout<Phone>.size < 96, "\(MemoryLayout<Phone>.size) bytes")
    }
}
