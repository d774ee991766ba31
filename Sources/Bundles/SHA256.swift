import CCrypto

/// SHA-256 of `bytes` in 64 lower-case hexadecimal digits.
public func sha256(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    _ = SHA256(bytes, bytes.count, &digest)
    let digits = Array("0123456789abcdef".utf8)
    return String(
        decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// The library that works it out, as `OpenSSL 3.0.15 3 Sep 2024`.
public var libcryptoVersion: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
