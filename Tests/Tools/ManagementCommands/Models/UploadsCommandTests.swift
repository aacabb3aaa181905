import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct UploadsCommandTests {
    private func upload(_ total: String?) -> UploadBodies.Unfinished {
        UploadBodies.Unfinished(
            upload: "0123456789abcdef", fileName: "m.tflite", receivedBytes: "8388608", totalBytes: total,
            createTime: "2026-11-21T12:00:00.000000Z", createdBy: "ci@p", updateTime: "2026-11-21T12:30:00.000000Z",
            expireTime: "2026-11-28T12:30:00.000000Z")
    }

    @Test func anUploadIsOneLine() {
        let lines = UploadTable.text([upload("1073741824"), upload(nil)]).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines[1].split(separator: "  ", omittingEmptySubsequences: true).map { $0.trimmingPrefix(" ") } == [
                "0123456789abcdef", "m.tflite", "8.0 MiB of 1.0 GiB", "2026-11-21 12:30", "2026-11-28 12:30", "ci@p",
            ])
        #expect(lines[2].contains("  8.0 MiB  "))
    }
}
