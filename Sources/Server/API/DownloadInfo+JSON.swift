import HearthWire

extension DownloadInfo {
    /// The same text as `WireJSON.encode` makes, put together by hand: every device asks for it again and again, and an
    /// encoder takes longer than all the rest of the answer.
    var json: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(downloadUri.utf8.count + 160)
        text.append(contentsOf: #"{"downloadUri":"#.utf8)
        JSONText.append(downloadUri, to: &text)
        text.append(contentsOf: #","expireTime":"#.utf8)
        JSONText.append(expireTime, to: &text)
        if let modelFormat {
            text.append(contentsOf: #","modelFormat":"#.utf8)
            JSONText.append(modelFormat, to: &text)
        }
        text.append(contentsOf: #","sizeBytes":"#.utf8)
        JSONText.append(sizeBytes, to: &text)
        text.append(UInt8(ascii: "}"))
        return text
    }
}
