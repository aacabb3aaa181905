import HearthCatalog
import HearthStorage
import Testing

@Suite("Metadata: templates") struct MetadataTemplateTests {
    private func template(
        _ number: Int64, project: String = "project-a", namespace: String = "firebase"
    ) -> TemplateVersion {
        TemplateVersion(
            projectID: project, namespace: namespace, number: number, body: #"{"n":\#(number)}"#,
            createdMicroseconds: 100 + number, createdBy: "ann@example.test", description: "number \(number)",
            origin: .node, kind: number == 3 ? .rollback : .incremental, rollbackSource: number == 3 ? 1 : nil)
    }

    private func withoutBody(_ template: TemplateVersion) -> TemplateVersion {
        var template = template
        template.body = ""
        return template
    }

    @Test("Versions, newest first; the highest number is the active one", arguments: MetadataKind.allCases)
    func versions(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let (one, two, three) = (template(1), template(2), template(3))
        try store.write { store in
            for template in [
                one, three, two, template(1, namespace: "firebase-server"), template(7, project: "project-b"),
            ] {
                try store.insert(template)
            }
        }
        try store.read { (store) throws in
            #expect(
                try store.history("firebase", before: nil, limit: 9)
                    == [three, two, one].map(withoutBody))
            #expect(
                try store.history("firebase", before: 3, limit: 1)
                    == [withoutBody(two)])
            #expect(
                try store.templateHistory(
                    project: "project-a", namespace: "firebase", before: nil, madeIn: 101..<103, limit: 9)
                    == [two, one].map(withoutBody))
            #expect(try store.template(project: "project-a", namespace: "firebase", number: nil) == three)
            #expect(try store.template(project: "project-a", namespace: "firebase", number: 1) == one)
            #expect(try store.template(project: "project-a", namespace: "firebase", number: 9) == nil)
            #expect(try store.template(project: "project-b", namespace: "firebase-server", number: nil) == nil)
            #expect(try store.activeTemplateNumbers(namespace: "firebase") == ["project-a": 3, "project-b": 7])
        }
    }

    @Test("A number is taken once, and belongs to a project", arguments: MetadataKind.allCases)
    func conflicts(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { try $0.insert(template(1)) }
        for wrong in [template(1), template(1, project: "project-nobody")] {
            let error = #expect(throws: StorageError.self) { try store.write { try $0.insert(wrong) } }
            #expect(error?.code == .conflict)
        }
    }

    @Test("A new version makes the serving snapshot old", arguments: MetadataKind.allCases)
    func revision(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let before = store.servingRevision
        try store.write { try $0.insert(template(1)) }
        #expect(store.servingRevision > before)
    }

    @Test("Old versions are removed, the active one never", arguments: MetadataKind.allCases)
    func deletion(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            for number in 1...4 { try store.insert(template(Int64(number))) }
            try store.insert(template(1, namespace: "firebase-server"))
            try store.deleteTemplates(project: "project-a", namespace: "firebase", keeping: 3, createdBefore: 103)
        }
        func numbers(_ namespace: String) throws -> [Int64] {
            try store.read {
                try $0.history(namespace, before: nil, limit: 9)
            }
            .map(\.number)
        }
        #expect(try numbers("firebase") == [4, 3])
        try store.write { store in
            try store.insert(template(5))
            try store.deleteTemplates(project: "project-a", namespace: "firebase", keeping: 2, createdBefore: 0)
        }
        #expect(try numbers("firebase") == [5, 4])
        try store.write {
            try $0.deleteTemplates(project: "project-a", namespace: "firebase", keeping: 9, createdBefore: .max)
        }
        #expect(try numbers("firebase") == [5])
        #expect(try numbers("firebase-server") == [1])
    }

    @Test("They go with their project", arguments: MetadataKind.allCases)
    func project(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { try $0.insert(template(1, project: "project-b")) }
        let project = try #require(try store.read { try $0.project(id: "project-b") })
        try store.write { try $0.delete(project) }
        #expect(try store.read { try $0.activeTemplateNumbers(namespace: "firebase") } == [:])
    }
}

extension MetadataReader {
    /// Of the first project, whenever they were made.
    fileprivate func history(_ namespace: String, before: Int64?, limit: Int) throws -> [TemplateVersion] {
        try templateHistory(
            project: "project-a", namespace: namespace, before: before, madeIn: .min..<(.max), limit: limit)
    }
}
