import HearthAPI
import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire
import Testing

@testable import HearthAPITestSupport

@Suite("Audit log") struct AuditTests {
    private let service: TestService

    init() throws {
        service = try TestService()
        try service.services.metadata.write { store in
            for number in 1...7 {
                try store.append(
                    AuditEntry(
                        projectID: number == 4 ? "project-b" : number == 5 ? "" : "project-a", actor: "ann",
                        action: "test", subject: "s\(number)", detail: number == 1 ? "" : "d",
                        atMicroseconds: Int64(number)))
            }
        }
    }

    private func page(_ path: String, token: String? = nil) throws -> AuditBodies.List {
        let answer = try service.hearth(.get, path, token: token)
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(AuditBodies.List.self, from: answer.body)
    }

    @Test("A project's entries come newest first, page by page, each once")
    func pages() throws {
        var subjects: [String] = []
        var token = ""
        repeat {
            let page = try page("projects/project-a/audit?pageSize=2&pageToken=\(token)")
            #expect((1...2).contains(page.entries?.count ?? 0))
            subjects += page.entries?.map(\.subject) ?? []
            token = page.nextPageToken ?? ""
        } while !token.isEmpty
        #expect(subjects == ["s7", "s6", "s3", "s2", "s1"])
        #expect(try page("projects/project-a/audit?pageSize=5").nextPageToken == nil)
        #expect(try page("projects/project-a/audit").entries?.last?.time == "1970-01-01T00:00:00.000001Z")
    }

    @Test("Operators see the whole server's")
    func server() throws {
        let entries = try page("audit", token: service.adminToken(.owner, in: nil)).entries
        #expect(entries?.map(\.subject) == ["s7", "s6", "s5", "s4", "s3", "s2", "s1"])
        #expect(entries?.map(\.projectId)[2...3] == [nil, "project-b"])
    }

    @Test("Bad page sizes and tokens are refused, huge ones are cut")
    func badPages() throws {
        for query in ["pageSize=-1", "pageSize=x", "pageToken=x", "pageToken=-1", "pageToken=99999999999999999999"] {
            try service.hearth(.get, "projects/project-a/audit?\(query)").expectRefusal(400, "INVALID_ARGUMENT")
        }
        #expect(try page("projects/project-a/audit?pageSize=9223372036854775807").entries?.count == 5)
        #expect(try page("projects/project-a/audit?pageSize=0").entries?.count == 5)
        #expect(try page("projects/project-a/audit?pageToken=1").entries == nil, "behind the oldest")
    }
}
