import Foundation
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthWire
import Testing

/// The calls about experiments and events.
extension TestService {
    /// Of the definition that is given.
    func makeExperiment(_ json: String, start: Bool = true) throws {
        let made = try hearthAdmin(.post, "experiments", json)
        try #require(made.status == 200, "\(made.text)")
        guard start, let name = made.string("definition.name") else { return }
        let started = try hearthAdmin(.post, "experiments/\(name):start")
        try #require(started.status == 200, "\(started.text)")
    }

    /// Two variants of one parameter with the goal `buy`, in equal parts.
    static func twoVariantExperiment(_ name: String = "colours", more: String = "") -> String {
        #"""
        {"name":"\#(name)","goal":{"event":"buy","kind":"conversion"},"variants":[
            {"name":"old","parameters":{"colour":"red"}},{"name":"new","parameters":{"colour":"blue"}}]\#(more)}
        """#
    }

    func installationToken(_ fid: String) throws -> String {
        try services.installationTokens.issue(
            fid: fid, appID: a.apiKeyRecord.appID, projectNumber: a.project.number, nowSeconds: time.now.seconds)
    }

    /// A fetch of its configuration by that installation.
    func fetch(as fid: String, _ more: String = "") throws -> TestResponse {
        try fetch(
            Array("{app_instance_id:'\(fid)', app_id:'x', sdk_version:'11.0.0'\(more)}".utf8), tokenInHeader: false,
            headers: ["x-goog-firebase-installations-auth": installationToken(fid)])
    }

    /// The variant that a fetch says the installation has.
    func variant(of fid: String, _ experiment: String = "colours") throws -> String? {
        let all = try fetch(as: fid)["experimentDescriptions"] as? [[String: Any]] ?? []
        return all.first { $0["experimentId"] as? String == experiment }?["variantId"] as? String
    }

    func report(
        _ items: [String], as fid: String = TestService.fid, journal: String = "journal-1-journal-1-jo"
    ) throws -> TestResponse {
        try call(
            .post, "/hearth/v1/projects/project-a/events",
            headers: [
                "x-goog-api-key": a.apiKey, "x-ios-bundle-identifier": a.bundleID,
                "x-goog-firebase-installations-auth": installationToken(fid),
            ], body: Array(#"{"journal":"\#(journal)","items":[\#(items.joined(separator: ","))]}"#.utf8))
    }

    static func event(_ sequence: Int, _ name: String, _ value: Double? = nil, model: String? = nil) -> String {
        let value = value.map { #","value":\#($0)"# } ?? ""
        let model = model.map { #","model":"\#($0)""# } ?? ""
        return
            #"{"sequence":\#(sequence),"time":"2027-01-15T08:00:00Z","event":{"name":"\#(name)"\#(value)\#(model)}}"#
    }

    static func exposure(_ sequence: Int, _ variant: String, _ experiment: String = "colours") -> String {
        #"{"sequence":\#(sequence),"time":"2027-01-15T08:00:00Z","exposure":{"experiment":"\#(experiment)","variant":"\#(variant)"}}"#
    }

    /// Installation ids, all different.
    static func fids(_ count: Int) -> [String] {
        (0..<count).map { "d" + String(repeating: "A", count: 15) + String(100_000 + $0) }
    }
}

extension String {
    func replacing(_ old: String, with new: String) -> String { components(separatedBy: old).joined(separator: new) }
}
