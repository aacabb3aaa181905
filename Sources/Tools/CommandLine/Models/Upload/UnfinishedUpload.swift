import HearthLocalCommands

/// An upload that broke off with a part of the file on the server.
struct UnfinishedUpload: Error, CustomStringConvertible {
    let reason: String
    let sentBytes: UInt64
    let totalBytes: UInt64

    var description: String {
        "\(reason) \(ByteCount.text(sentBytes)) of \(ByteCount.text(totalBytes)) are on the server; to go on, run the same "
            + "command with --resume."
    }
}
