/// What Firebase says about a model.
package struct FirebaseModel {
    private let json: JSONValue

    package init(_ json: JSONValue) { self.json = json }

    /// A model of which only a device's view is known.
    static func published(_ name: String, hash: String, sizeBytes: UInt64?) -> JSONValue {
        var tflite: [String: JSONValue] = [:]
        tflite["sizeBytes"] = sizeBytes.map { .text(String($0)) }
        return .object([
            "displayName": .text(name), "modelHash": .text(hash), "state": .object(["published": .bool(true)]),
            "tfliteModel": .object(tflite),
        ])
    }

    package var tags: [String] { json["tags"]?.items.compactMap(\.text) ?? [] }
    /// As Firebase writes it.
    package var hash: String? { json["modelHash"]?.text }
    /// The hash as 64 hexadecimal digits, if it is a SHA-256.
    package var namedSHA256: String? { hash.flatMap(ModelFileDownload.Expectation.sha256) }
    var sizeBytes: UInt64? { json["tfliteModel"]?["sizeBytes"]?.integer.flatMap { UInt64(exactly: $0) } }
    var storageURI: String? { json["tfliteModel"]?["gcsTfliteUri"]?.text }
    /// Whether devices get the model from Firebase.
    package var isPublished: Bool { json["state"]?["published"]?.isTrue == true }
    /// Whether the source says if the model is published: the console's files do not.
    package var isStateKnown: Bool { json["state"] != nil || json["name"] != nil }
    /// Whether Firebase found that the file is no model.
    var isRefused: Bool { json["state"]?["validationError"] != nil }
    /// Changes with every change of the model.
    var version: String { json["etag"]?.text ?? json["updateTime"]?.text ?? "" }

    /// Whether the import got the bytes when it wrote this description: it had their place, and Firebase took the file for a model.
    var gaveBytes: Bool { !isRefused && (storageURI != nil || json["source"] != nil) }

    /// Why Firebase gave no bytes, and what to do.
    func reasonWithoutBytes(hasPlist: Bool) -> String {
        if let error = json["state"]?["validationError"] {
            let reason = error["message"]?.text ?? "no reason given"
            return "Firebase refused this model's file: \(reason)\(reason.hasSuffix(".") ? "" : ".") Push a valid file."
        }
        if !(json["activeOperations"]?.items ?? []).isEmpty {
            return "Firebase is still working on this model. Run the import again later."
        }
        let place = "Firebase does not say where its bytes are, as with AutoML models"
        let again =
            hasPlist ? "run this command again" : "run the import with --service-account and with the app's --plist"
        return isPublished
            ? "\(place). \(again.prefix(1).uppercased())\(again.dropFirst())."
            : "\(place), and gives them only while the model is published. Publish it in the console and \(again)."
    }

    private static let knownMembers: Set<String> = [
        "name", "displayName", "tags", "state", "tfliteModel", "createTime", "updateTime", "etag", "modelHash",
        "activeOperations", "source",
    ]
    private static let knownStates: Set<String> = ["published", "validationError"]
    private static let knownParts: Set<String> = ["gcsTfliteUri", "sizeBytes", "automlModel"]

    /// The paths of members that this program does not know. They stay in the folder.
    package var unknownMembers: [String] {
        json.members.keys.filter { !Self.knownMembers.contains($0) }.sorted()
            + (json["state"]?.members.keys.filter { !Self.knownStates.contains($0) }.sorted().map { "state.\($0)" }
                ?? [])
            + (json["tfliteModel"]?.members.keys.filter { !Self.knownParts.contains($0) }.sorted().map {
                "tfliteModel.\($0)"
            } ?? [])
    }
}
