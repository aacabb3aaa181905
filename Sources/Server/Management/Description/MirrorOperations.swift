extension OperationDescription {
    static var mirrorOperations: [String: OperationDescription] {
        let path = MirrorBodies.path
        return [
            "GET \(path)": OperationDescription(
                tag: "server", summary: "All records that a follower copies. Conditional, with ETag and If-None-Match.",
                access: .admin, responseMedia: "application/json"),
            "GET \(path)/files/{sha256}": OperationDescription(
                tag: "server", summary: "The bytes of a version, also a part of them.", access: .admin,
                responseMedia: "application/octet-stream"),
            "GET \(path)/installations": OperationDescription(
                tag: "server", summary: "A page of installations, in order of their creation.", access: .admin,
                query: [
                    Query(name: "created", description: "Microseconds since 1970: of the last one of the page before."),
                    Query(name: "project", description: "The project of that one."),
                    Query(name: "fid", description: "The id of that one."),
                ], response: MirrorBodies.Installations.self),
            "POST \(path)/installations": admin(
                "server", "Add installations that registered at a follower.", MirrorBodies.Added.self,
                body: MirrorBodies.Installations.self),
        ]
    }
}
