extension RandomStream {
    public mutating func exponential(mean: Double) -> Double { -mean * Elementary.log(1 - uniform()) }
}
