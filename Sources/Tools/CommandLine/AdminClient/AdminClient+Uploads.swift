import HearthWire

/// Files on their way to a project.
extension AdminClient {
    func uploadsPath() throws -> String { "/hearth/v1/projects/\(AdminRequest.encoded(try project()))/uploads" }

    /// Oldest first.
    func unfinishedUploads() throws -> [UploadBodies.Unfinished] {
        try answer(UploadBodies.List.self, .get(uploadsPath())).uploads ?? []
    }

    func cancelUpload(_ upload: String) throws -> UploadBodies.Unfinished {
        try answer(.change("DELETE", uploadsPath() + "/" + AdminRequest.encoded(upload)))
    }
}
