import Foundation

func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

/// Nil where it is no base64.
func bytes(base64 text: String) -> [UInt8]? { Data(base64Encoded: text).map { [UInt8]($0) } }
