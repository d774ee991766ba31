import CSleef

/// The elementary functions that give the same bits on every processor.
///
/// libm's differ in last bits between processors with and without fused multiply-add, and one bit
/// is another run. Source: SLEEF 3.5, the `cinz` scalar variants, at most 1.0 unit in the last
/// place. Square roots, sums and products need none of this: IEEE 754 rounds them alike everywhere.
public enum Elementary {
    /// The natural logarithm.
    public static func log(_ x: Double) -> Double { Sleef_cinz_logd1_u10purec(x) }
    public static func exp(_ x: Double) -> Double { Sleef_cinz_expd1_u10purec(x) }
    public static func pow(_ x: Double, _ y: Double) -> Double { Sleef_cinz_powd1_u10purec(x, y) }
    public static func sin(_ x: Double) -> Double { Sleef_cinz_sind1_u10purec(x) }
    public static func cos(_ x: Double) -> Double { Sleef_cinz_cosd1_u10purec(x) }
}
