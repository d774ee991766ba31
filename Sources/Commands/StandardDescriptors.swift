import Foundation

/// Standard input, output and error of this process.
public enum StandardDescriptors {
    /// Opens what is closed of them on `/dev/null`: else the next file that is opened has the
    /// number, and what is meant for people is written into it.
    ///
    /// To be called first of all.
    public static func fill() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
