import Foundation
import HearthTestSupport
import HearthValidation

/// A program that stands in for `hearth probe`: its verdict is the first word of the file that it is shown.
struct StandInProbe {
    private let folder: TemporaryFolder
    let validator: ModelValidator

    /// File contents for each verdict; `text` makes them different.
    static func ok(_ text: String = "") -> String { "ok \(text)\n" }
    static func unsupported(_ text: String = "") -> String { "unsupported \(text)\n" }
    static func malformed(_ text: String = "") -> String { "malformed \(text)\n" }

    private static let script = #"""
        #!/bin/sh
        contract='"contract":{"inputs":[{"name":"image","type":"float32","shape":[1,4]}],"outputs":[],"operators":[],"signatures":[]}'
        read -r verdict rest <&3
        case $verdict in
            ok) echo "{\"verdict\":\"ok\",$contract}" ;;
            unsupported) echo "{\"verdict\":\"unsupported\",\"message\":\"No operator WHERE here.\",$contract}" ;;
            crash) kill -SEGV $$ ;;
            *) echo '{"verdict":"malformed","message":"The file ends too early."}' ;;
        esac
        """#

    init() throws {
        folder = try TemporaryFolder()
        let path = try folder.write(Array(Self.script.utf8), to: "probe")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        validator = ModelValidator(executable: path)
    }
}
