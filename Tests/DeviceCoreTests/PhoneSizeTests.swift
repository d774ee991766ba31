import DeviceCore
import Testing

@Suite("A phone as a value")
struct PhoneSizeTests {
    /// A fleet of a million devices holds a million of them.
    @Test("takes at most 48 bytes")
    func size() {
        #expect(MemoryLayout<Phone>.size <= 48, "\(MemoryLayout<Phone>.size) bytes")
    }
}
