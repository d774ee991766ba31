import DeviceCore
import Testing

@Suite("A phone as a value")
struct PhoneSizeTests {
    /// A fleet of a million devices holds a million of them.
    @Test("takes at most 72 bytes")
    func size() {
        #expect(MemoryLayout<Phone>.size <= 72, "\(MemoryLayout<Phone>.size) bytes")
    }
}
