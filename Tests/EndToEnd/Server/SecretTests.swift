import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    @Suite struct SecretTests {
        /// Good calls and refused ones, with every secret in every place where a client may put it.
        @Test func theLogHoldsNoSecret() throws {
            let server = try ServerProcess()
            let admin = try CurlAdmin(server)
            let device = try CurlDevice(server)
            try admin.push("digits", SampleModels.file)
            let link = try device.link("digits")
            let items = try #require(URLComponents(string: link)?.queryItems)
            let signature = try #require(items.first { $0.name == "signature" }?.value)
            #expect(try Curl.call(link).status == 200)
            let secrets = [admin.key.clientSecret, device.apiKey, admin.token, device.token, signature]

            // The key as a query item, which the protocol allows.
            let models = "\(server.url)/v1beta2/projects/\(device.projectID)/models"
            let keyed = try Curl.call(
                "\(models)/digits:download?key=\(device.apiKey)",
                ["-H", "x-goog-firebase-installations-auth: \(device.token)"])
            #expect(keyed.status == 200)
            for secret in secrets {
                #expect(try Curl.call("\(server.url)/hearth/v1/files/0?signature=\(secret)").status == 403)
                #expect(try Curl.call("\(models)?access_token=\(secret)&key=\(secret)").status == 401)
                #expect(
                    try Curl.call("\(server.url)/token?client_secret=\(secret)", ["-d", "x=\(secret)"]).status == 400)
                #expect(try Curl.call(models, ["-u", "admin:\(secret)"]).status == 401)
                #expect(try Curl.call(models, ["-H", "Authorization: Bearer \(secret)x"]).status == 401)
            }

            #expect(try server.terminate().exitCode == 0)
            #expect(server.log.contains("models/digits:download"))
            for secret in secrets { #expect(!server.log.contains(secret)) }
            #expect(!server.log.contains(try #require(Self.middle(of: admin.key.privateKey))))
        }

        private static func middle(of pem: String) -> Substring? {
            pem.split(separator: "\n").dropFirst(2).first
        }
    }
}
