/// Bytes of an array's own storage: none while it is empty and has no room, else a header of 32
/// bytes and its elements, without what those point to.
public func arrayBytes<Element>(_ array: [Element]) -> Int {
    array.capacity == 0 ? 0 : 32 + array.capacity * MemoryLayout<Element>.stride
}
