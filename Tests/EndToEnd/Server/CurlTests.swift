import EndToEndDriving
import Foundation
import HearthCalls
import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// All that `hearth` does, a person with `curl` can do; and every refusal has Google's form.
    @Suite struct CurlTests {
        private let server: ServerProcess
        private let admin: CurlAdmin
        private let device: CurlDevice

        init() throws {
            server = try ServerProcess()
            admin = try CurlAdmin(server)
            device = try CurlDevice(server)
        }

        @Test func curlAlonePublishesWhatADeviceGets() throws {
            let upload: UploadResource = try admin.upload(SampleModels.file).decode()
            let bytes = try SampleModels.bytes()
            let hash = SHA256Hasher.hash(bytes).hex
            #expect(upload.sha256 == hash)
            #expect(upload.sizeBytes == String(bytes.count))
            #expect(upload.validationError == nil)

            let created = try admin.create("digits", uri: upload.gcsTfliteUri)
            #expect(created.done)
            let model = try #require(created.response)
            #expect(model.modelHash == hash)
            #expect(model.state?.published == nil)
            #expect(try device.info("digits").status == 404)
            #expect(try admin.publish(#require(model.name)).response?.state?.published == true)

            let info = try device.info("digits")
            #expect(info.status == 200)
            #expect(info.headers["etag"] == hash)
            let download = try info.decode(DownloadInfo.self)
            #expect(download.sizeBytes == String(bytes.count))
            let file = try Curl.call(download.downloadUri)
            #expect(file.status == 200)
            #expect(file.body == bytes)
        }

        /// The other way in which curl sends a file.
        @Test func uploadsWithDataBinary() throws {
            let url = "\(server.url)/hearth/v1/projects/\(admin.key.projectID)/uploads?name=digits.tflite"
            let reply = try admin.call(
                url, ["-H", "Content-Type: application/octet-stream", "--data-binary", "@\(SampleModels.file)"])
            #expect(reply.status == 200)
            #expect(try reply.decode(UploadResource.self).sha256 == SHA256Hasher.hash(SampleModels.bytes()).hex)
        }

        @Test func unchangedModelsAreNotSentAgain() throws {
            try admin.push("digits", SampleModels.file)
            let hash = try #require(try device.info("digits").headers["etag"])
            let same = try device.info("digits", ["-H", "If-None-Match: \(hash)"])
            #expect(same.status == 304)
            #expect(same.body.isEmpty)
            #expect(same.headers["etag"] == hash)

            let upload: UploadResource = try admin.upload(SampleModels.secondFile).decode()
            let name = try #require(try admin.list().first?.name)
            let update = try admin.send(
                "PATCH", "\(server.url)/v1beta2/\(name)?updateMask=tfliteModel.gcsTfliteUri",
                #"{"tfliteModel": {"gcsTfliteUri": "\#(upload.gcsTfliteUri)"}}"#)
            #expect(update.status == 200)
            let changed = try device.info("digits", ["-H", "If-None-Match: \(hash)"])
            #expect(changed.status == 200)
            #expect(changed.headers["etag"] == upload.sha256)
        }

        @Test func bytesComeInRanges() throws {
            try admin.push("digits", SampleModels.file)
            let bytes = try SampleModels.bytes()
            let link = try device.link("digits")
            let middle = try Curl.call(link, ["-r", "1000-1999"])
            #expect(middle.status == 206)
            #expect(middle.headers["content-range"] == "bytes 1000-1999/\(bytes.count)")
            #expect(middle.body == Array(bytes[1000..<2000]))
            #expect(try Curl.call(link, ["-r", "-10"]).body == Array(bytes.suffix(10)))
            #expect(try Curl.call(link, ["-r", "\(bytes.count)-"]).status == 416)
        }

        @Test func alteredLinksAreRefused() throws {
            try admin.push("digits", SampleModels.file)
            let link = try device.link("digits")
            var components = try #require(URLComponents(string: link))
            let items = try #require(components.queryItems)
            func reply(_ change: (inout [URLQueryItem]) -> Void) throws -> (message: String, status: String) {
                var changed = items
                change(&changed)
                components.queryItems = changed
                let reply = try Curl.call(#require(components.string))
                #expect(reply.status == 403)
                return try reply.error()
            }
            let position = try #require(items.firstIndex { $0.name == "signature" })
            let signature = try #require(items[position].value)
            let other = signature.hasPrefix("A") ? "B" : "A"
            #expect(try reply { $0[position].value = other + signature.dropFirst() }.status == "PERMISSION_DENIED")
            #expect(try reply { $0.remove(at: position) }.status == "PERMISSION_DENIED")
            // A longer life than was signed.
            #expect(try reply { $0[1 - position].value = "4102444800" }.status == "PERMISSION_DENIED")
            // Another file than was signed.
            let second: UploadResource = try admin.upload(SampleModels.secondFile).decode()
            let first = try #require(try device.info("digits").headers["etag"])
            let stolen = link.replacingOccurrences(of: first, with: second.sha256)
            #expect(try Curl.call(stolen).status == 403)
        }

        @Test func devicesNeedKeyTokenAndAPublishedModel() throws {
            let name = try admin.push("digits", SampleModels.file)
            let wrongKey = try device.info("digits", apiKey: "A" + String(repeating: "x", count: 38))
            #expect(wrongKey.status == 403)
            #expect(try wrongKey.error().status == "PERMISSION_DENIED")
            let url = "\(server.url)/v1beta2/projects/\(device.projectID)/models/digits:download"
            #expect(try Curl.call(url).status == 403)
            let noToken = try Curl.call(url, ["-H", "x-goog-api-key: \(device.apiKey)"])
            #expect(noToken.status == 401)
            #expect(try noToken.error().status == "UNAUTHENTICATED")
            // By display name only.
            let id = try #require(name.split(separator: "/").last)
            #expect(try device.info(String(id)).status == 404)

            #expect(try admin.publish(name, false).error == nil)
            let unpublished = try device.info("digits")
            #expect(unpublished.status == 404)
            #expect(try unpublished.error().status == "NOT_FOUND")
        }

        @Test func adminCallsNeedAToken() throws {
            let tokens = [
                [], ["-H", "Authorization: Bearer nonsense"], ["-H", "Authorization: Bearer \(device.token)"],
                ["-H", "Authorization: Bearer \(admin.token)x"], ["-H", "x-goog-api-key: \(device.apiKey)"],
            ]
            for token in tokens {
                let list = try Curl.call(admin.modelsURL, token)
                #expect(list.status == 401)
                #expect(try list.error().status == "UNAUTHENTICATED")
                let uploads = "\(server.url)/hearth/v1/projects/\(admin.key.projectID)/uploads"
                #expect(try Curl.call(uploads, token + ["-X", "POST", "-T", SampleModels.file]).status == 401)
            }
            let elsewhere = try admin.call("\(server.url)/v1beta2/projects/other-project/models")
            // The first account is an operator, who may be told that there is no such project.
            #expect(elsewhere.status == 404)
            #expect(try elsewhere.error().status == "NOT_FOUND")
            #expect(try server.storedFiles().isEmpty)
        }

        @Test func theWrongClientSecretGetsNoToken() throws {
            let reply = try Curl.call(
                admin.key.tokenURI, ["-u", "\(admin.key.clientID):wrong", "-d", "grant_type=client_credentials"])
            #expect(reply.status == 401)
            #expect(try reply.decode(TokenBodies.Failure.self).error == "invalid_client")
        }

        @Test func refusalsHaveOneForm() throws {
            #expect(try Curl.call(server.url + "/nothing/here").error().status == "NOT_FOUND")
            let notJSON = try admin.send("POST", admin.modelsURL, "nonsense")
            #expect(notJSON.status == 400)
            #expect(try notJSON.error().status == "INVALID_ARGUMENT")
            let unknown = try admin.call("\(admin.modelsURL)/4294967296")
            #expect(unknown.status == 404)
            #expect(try unknown.error().status == "NOT_FOUND")
            let mask = try admin.send("PATCH", "\(admin.modelsURL)/1000001?updateMask=nonsense", "{}")
            #expect(mask.status == 400)
            #expect(try mask.error().status == "INVALID_ARGUMENT")
            let missing = try admin.send(
                "POST", admin.modelsURL,
                #"{"displayName": "x", "tfliteModel": {"gcsTfliteUri": "gs://nowhere/none.tflite"}}"#)
            #expect(missing.status == 400)
            #expect(try missing.error().message.contains("upload it first"))
            let large = try admin.call(admin.modelsURL, ["-H", "Content-Type: application/json", "-d", "@" + huge()])
            #expect(large.status == 413)
            #expect(try large.error().status == "INVALID_ARGUMENT")
        }

        /// A JSON body above the limit.
        private func huge() throws -> String {
            try server.data.write([UInt8](repeating: 0x20, count: (1 << 20) + 1), to: "huge.json")
        }
    }
}
