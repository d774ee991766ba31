/// The ids of the rules in the specification of CoreLocation (`Sources/AuthorizationCore/README.md`
/// says where it comes from). Raw values appear in records; append, never rename.
public enum RuleID: String, CaseIterable, Sendable {
    case st1 = "ST1", st2 = "ST2"
    case i1 = "I1", i2 = "I2", i3 = "I3", i4 = "I4", i5 = "I5", i6 = "I6", i7 = "I7", i8 = "I8",
        i9 = "I9", i10 = "I10", i11 = "I11", i12 = "I12"
    case w1 = "W1", w2 = "W2", w3 = "W3", w4 = "W4", w5 = "W5", w6 = "W6", w7 = "W7", w8 = "W8"
    case a1 = "A1", a2 = "A2", a3 = "A3", a4 = "A4", a5 = "A5", a6 = "A6", a7 = "A7", a8 = "A8",
        a9 = "A9", a10 = "A10", a11 = "A11", a12 = "A12", a13 = "A13", a14 = "A14", a15 = "A15",
        a16 = "A16", a17 = "A17"
    case t1 = "T1", t2 = "T2", t3 = "T3", t4 = "T4", t5 = "T5", t6 = "T6", t7 = "T7"
    case j1 = "J1", j2 = "J2", j3 = "J3", j4 = "J4", j5 = "J5", j6 = "J6"
    case p1 = "P1", p2 = "P2", p3 = "P3", p4 = "P4", p5 = "P5", p6 = "P6", p7 = "P7", p8 = "P8",
        p9 = "P9", p10 = "P10", p11 = "P11", p12 = "P12", p13 = "P13", p14 = "P14", p15 = "P15",
        p16 = "P16"
    case o1 = "O1", o2 = "O2", o3 = "O3", o4 = "O4", o5 = "O5", o6 = "O6", o7 = "O7", o8 = "O8",
        o9 = "O9", o10 = "O10"
    case v1 = "V1", v2 = "V2", v3 = "V3", v4 = "V4", v5 = "V5", v6 = "V6", v7 = "V7", v8 = "V8",
        v9 = "V9", v10 = "V10", v11 = "V11", v12 = "V12", v13 = "V13"
    case r1 = "R1", r2 = "R2", r3 = "R3", r4 = "R4", r5 = "R5", r6 = "R6"
    case u1 = "U1", u2 = "U2", u3 = "U3", u4 = "U4", u5 = "U5", u6 = "U6", u7 = "U7"
    case s1 = "S1", s2 = "S2", s3 = "S3", s4 = "S4", s5 = "S5", s6 = "S6", s7 = "S7", s8 = "S8",
        s9 = "S9", s10 = "S10", s11 = "S11", s12 = "S12", s13 = "S13", s14 = "S14", s15 = "S15",
        s16 = "S16", s17 = "S17"
    case c1 = "C1", c2 = "C2", c3 = "C3", c4 = "C4", c5 = "C5", c6 = "C6", c7 = "C7", c8 = "C8",
        c9 = "C9", c10 = "C10", c11 = "C11"
    case g1 = "G1", g2 = "G2", g3 = "G3", g4 = "G4", g5 = "G5", g6 = "G6", g7 = "G7", g8 = "G8",
        g9 = "G9", g10 = "G10", g11 = "G11", g12 = "G12", g13 = "G13", g14 = "G14", g15 = "G15"
    case f1 = "F1", f2 = "F2", f3 = "F3", f4 = "F4", f5 = "F5", f6 = "F6", f7 = "F7", f8 = "F8",
        f9 = "F9"
    case b1 = "B1", b2 = "B2", b3 = "B3", b4 = "B4", b5 = "B5", b6 = "B6", b7 = "B7", b8 = "B8",
        b9 = "B9", b10 = "B10", b11 = "B11", b12 = "B12", b13 = "B13", b14 = "B14", b15 = "B15",
        b16 = "B16", b17 = "B17"
    case sv1 = "SV1", sv2 = "SV2", sv3 = "SV3", sv4 = "SV4", sv5 = "SV5", sv6 = "SV6", sv7 = "SV7"
    case rg1 = "RG1", rg2 = "RG2", rg3 = "RG3", rg4 = "RG4", rg5 = "RG5", rg6 = "RG6", rg7 = "RG7",
        rg8 = "RG8", rg9 = "RG9", rg10 = "RG10", rg11 = "RG11", rg12 = "RG12", rg13 = "RG13",
        rg14 = "RG14", rg15 = "RG15"
    case m1 = "M1", m2 = "M2", m3 = "M3", m4 = "M4", m5 = "M5", m6 = "M6", m7 = "M7", m8 = "M8"
    case k1 = "K1", k2 = "K2", k3 = "K3", k4 = "K4"
    case l1 = "L1", l2 = "L2", l3 = "L3"
    case n1 = "N1", n2 = "N2", n3 = "N3", n4 = "N4", n5 = "N5", n6 = "N6", n7 = "N7", n8 = "N8",
        n9 = "N9"
    case ac1 = "AC1", ac2 = "AC2", ac3 = "AC3", ac4 = "AC4", ac5 = "AC5", ac6 = "AC6", ac7 = "AC7",
        ac8 = "AC8", ac9 = "AC9", ac10 = "AC10", ac11 = "AC11", ac12 = "AC12", ac13 = "AC13",
        ac14 = "AC14"
    case x1 = "X1", x2 = "X2", x3 = "X3", x4 = "X4", x5 = "X5", x6 = "X6", x7 = "X7", x8 = "X8",
        x9 = "X9", x10 = "X10", x11 = "X11"
    case q1 = "Q1", q2 = "Q2", q3 = "Q3", q4 = "Q4", q5 = "Q5", q6 = "Q6", q7 = "Q7", q8 = "Q8"
    case y1 = "Y1", y2 = "Y2", y3 = "Y3", y4 = "Y4", y5 = "Y5", y6 = "Y6", y7 = "Y7"
    case e0 = "E0", e1 = "E1", e2 = "E2", e3 = "E3", e4 = "E4", e5 = "E5", e6 = "E6", e7 = "E7",
        e16 = "E16", e17 = "E17", e18 = "E18", e19 = "E19"
}
