import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Versions over HTTP") struct VersionTests {
    @Test("A model's versions, newest first, with all that is known of each")
    func list() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok("1"))
        try service.makeVersion(id, FakeProbe.unsupported("2"))
        try service.makeVersion(id, FakeProbe.malformed("3"))
        let answer = try service.hearthAdmin(.get, "models/\(id)/versions")
        let versions = try WireJSON.decode(ReleaseBodies.VersionList.self, from: answer.body).versions ?? []
        #expect(versions.map(\.version) == [3, 2, 1])
        #expect(versions.map(\.verdict) == ["malformed", "unsupported", "ok"])
        #expect(versions.map(\.message) == ["The file ends too early.", "No operator WHERE here.", nil])
        #expect(versions[2].modelHash == hash(FakeProbe.ok("1")))
        #expect(versions[2].sizeBytes == "\(FakeProbe.ok("1").utf8.count)")
        #expect(versions[2].source == service.uri("flowers"))
        #expect(versions[2].createTime == "2027-01-15T08:00:00.000123Z")
        #expect(versions[2].createdBy == service.a.account.email)
        #expect(versions[2].contract?.inputs.first?.name == "image" && versions[0].contract == nil)
        let brief = try service.hearthAdmin(.get, "models/\(id)/versions?contracts=false")
        let withoutContracts = versions.map { version in
            var version = version
            version.contract = nil
            return version
        }
        #expect(try WireJSON.decode(ReleaseBodies.VersionList.self, from: brief.body).versions == withoutContracts)
        try service.hearthAdmin(.get, "models/\(id)/versions?contracts=no").expectRefusal(400, "INVALID_ARGUMENT")
        let one = try service.hearthAdmin(.get, "models/\(id)/versions/2")
        #expect(try WireJSON.decode(ReleaseBodies.Version.self, from: one.body) == versions[1])
    }

    @Test("What a run took, or why there was none, stands with the version")
    func figures() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok("1"))
        let reports = [
            MeasurementReport(
                figures: ModelMeasurements(
                    runs: 10, medianMicroseconds: 900, p90Microseconds: 1000, peakMemoryBytes: 1 << 40,
                    loadMicroseconds: 5, engine: "LiteRT")),
            MeasurementReport(failure: "It took too long."),
        ]
        for report in reports {
            try service.services.metadata.write { store in
                var known = try #require(try store.validation(sha256: hash(FakeProbe.ok("1"))))
                known.measurementsJSON = String(decoding: try WireJSON.encode(report), as: UTF8.self)
                try store.put(known)
            }
            let answer = try service.hearthAdmin(.get, "models/\(id)/versions/1")
            let version = try WireJSON.decode(ReleaseBodies.Version.self, from: answer.body)
            #expect(version.figures == report.figures && version.figuresNote == report.failure)
        }
    }

    @Test("A version can be made without releasing it, also on a published model")
    func create() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        let made = try service.makeVersion(id, FakeProbe.ok("2"))
        #expect(made.status == 200 && made["version"] as? Int == 2 && made.string("verdict") == "ok")
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("1")))
        let again = try service.hearthAdmin(.post, "models/\(id)/versions", #"{"source":"\#(service.uri("version"))"}"#)
        #expect(again["version"] as? Int == 2, "the same file is no new version")
    }

    @Test("A model without a file has no versions")
    func none() throws {
        let service = try TestService()
        let id = try service.makeModel("plain")
        #expect(try service.hearthAdmin(.get, "models/\(id)/versions").text == "{}")
        try service.hearthAdmin(.get, "models/\(id)/versions/1")
            .expectRefusal(404, "NOT_FOUND", "The model 'plain' has no version 1.")
    }

    @Test("What is not there, and what is another project's, is refused with what it was")
    func missing() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok())
        for path in ["versions", "versions/1", "releases", "releases/1"] {
            try service.hearthAdmin(.get, "models/1000099/\(path)")
                .expectRefusal(404, "NOT_FOUND", "The project 'project-a' has no model 1000099.")
            try service.hearthAdmin(.get, "models/\(id)/\(path)", as: service.b)
                .expectRefusal(404, "NOT_FOUND", "The project 'project-b' has no model \(id).")
            try service.hearthAdmin(.get, "models/flowers/\(path)")
                .expectRefusal(400, "INVALID_ARGUMENT", "A model is named by its number.")
        }
        for number in ["X", "-1", "1.5", "99999999999999999999", "%20"] {
            try service.hearthAdmin(.get, "models/\(id)/versions/\(number)").expectRefusal(400, "INVALID_ARGUMENT")
        }
        for body in ["", "{}", #"{"source":5}"#, #"{"source":"x"}"#, #"{"source":"gs://bucket/none"}"#, "[]"] {
            try service.hearthAdmin(.post, "models/\(id)/versions", body).expectRefusal(400, "INVALID_ARGUMENT")
        }
        let foreign = #"{"source":"\#(service.uri("flowers"))"}"#
        let own = try service.makeModel("own", as: service.b)
        try service.hearthAdmin(.post, "models/\(own)/versions", foreign, as: service.b)
            .expectRefusal(400, "INVALID_ARGUMENT")
    }
}
