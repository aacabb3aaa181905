import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// A main server, its follower at a site, and devices there.
    @Suite struct FollowTests {
        private func mirrorToken(_ main: ServerProcess) throws -> String {
            let made = try main.hearth("keys", "token", "create", "site", "--server", "--role", "mirror")
            #expect(made.exitCode == 0, "\(made.errors)")
            return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func publish(_ file: String, _ main: ServerProcess) throws {
            let push = try main.hearth("models", "push", "digits", file, "--publish")
            try #require(push.exitCode == 0, "\(push.errors)")
        }

        @Test func devicesContinueWhileTheMainServerIsAway() throws {
            let data = try TemporaryFolder()
            let main = try ServerProcess(data: data)
            let token = try mirrorToken(main)
            try publish(SampleModels.file, main)
            let port = ["--port", "\(main.port)"]
            let follower = try FollowerProcess(of: main.url, token: token)

            // Bytes and events while both are there.
            let first = try SiteDevice(follower.url, of: main)
            #expect(try Deadline.wait { try first.download("digits") == SampleModels.bytes() })
            let reported = try first.report()
            #expect(reported.status == 200, "\(String(decoding: reported.body, as: UTF8.self))")
            #expect(try main.hearth("experiments", "events").output.contains("opened"))

            // Changes are refused, and the text names the place for them.
            let refused = try Curl.call(
                "\(follower.url)/v1beta2/projects/\(first.project)/models", ["-H", "Authorization: Bearer \(token)"])
            #expect(refused.status == 403)
            #expect(try refused.error().message.contains(main.url))
            // The token of the follower changes nothing at the main server either.
            let stolen = try Curl.call(
                "\(main.url)/v1beta2/projects/\(first.project)/models", ["-H", "Authorization: Bearer \(token)"])
            #expect(stolen.status == 403)

            try main.kill()
            #expect(
                try Deadline.wait {
                    try follower.readiness().contains("Failed to connect") || first.report().status == 503
                })
            let unsent = try first.report()
            #expect(unsent.status == 503)
            #expect(unsent.headers["retry-after"] != nil)
            // A new device of the site, too.
            let second = try SiteDevice(follower.url, of: main)
            #expect(try second.download("digits") == SampleModels.bytes())
            #expect(try second.renew() == 200)
            let etag = try #require(try second.info("digits").headers["etag"])
            #expect(try second.info("digits", ["-H", "If-None-Match: \(etag)"]).status == 304)

            // The main server comes back, and the follower catches up by itself.
            let again = try ServerProcess(data: data, arguments: port)
            try publish(SampleModels.secondFile, again)
            #expect(
                try Deadline.wait(seconds: 60) {
                    try second.download("digits") == SampleModels.bytes(SampleModels.secondFile)
                })
            // It knows the device that registered during the outage, with the same refresh token.
            #expect(try Deadline.wait { try second.renew(at: again.url) == 200 })
            #expect(try second.report(at: again.url).status == 200)
            #expect(try follower.terminate().exitCode == 0)
        }

        @Test func aFollowerThatStartsWithoutItsMainServerServesItsCopy() throws {
            let main = try ServerProcess()
            let token = try mirrorToken(main)
            try publish(SampleModels.file, main)
            let data = try TemporaryFolder()
            let follower = try FollowerProcess(of: main.url, token: token, data: data)
            let device = try SiteDevice(follower.url, of: main)
            #expect(try Deadline.wait { try device.download("digits") != nil })
            #expect(try follower.terminate().exitCode == 0)
            try main.kill()
            let second = try FollowerProcess(of: main.url, token: token, data: data)
            #expect(try SiteDevice(second.url, of: main).download("digits") == SampleModels.bytes())
        }

        /// A device that registered at the main server renews its token there after the promotion, and admins keep their keys.
        @Test func aStandbyBecomesTheMainServer() throws {
            let main = try ServerProcess()
            let token = try mirrorToken(main)
            try publish(SampleModels.file, main)
            try publish(SampleModels.secondFile, main)
            let device = try SiteDevice(main.url, of: main)
            let data = try TemporaryFolder()
            let follower = try FollowerProcess(of: main.url, token: token, data: data, arguments: ["--all-versions"])
            #expect(try Deadline.wait { try device.renew(at: follower.url) == 200 })
            #expect(try Deadline.wait { try follower.metric("hearth_mirror_files_missing") == 0 })
            let own = try SiteDevice(follower.url, of: main)
            #expect(try follower.terminate().exitCode == 0)

            // Not before the promotion.
            let early = try HearthProgram.run(["serve", "--data", data.path, "--port", "0"])
            #expect(early.exitCode == 1)
            #expect(early.errors.contains("hearth follow --promote"))
            try main.kill()
            let promotion = try HearthProgram.run(["follow", "--promote", "--data", data.path, "--json"])
            #expect(promotion.exitCode == 0, "\(promotion.errors)")
            #expect(
                promotion.output.contains(#""versionsWithoutFile" : []"#)
                    || promotion.output.contains(#""versionsWithoutFile":[]"#))
            #expect(try HearthProgram.run(["follow", "--promote", "--data", data.path]).exitCode == 1)

            let new = try ServerProcess(data: data)
            #expect(try device.renew(at: new.url) == 200)
            #expect(try own.renew(at: new.url) == 200)
            #expect(try own.info("digits", at: new.url).status == 200)
            let back = try HearthProgram.run(
                ["releases", "rollback", "digits", "--url", new.url, "--credentials", main.adminFile])
            #expect(back.exitCode == 0, "\(back.errors)")
            let verified = try HearthProgram.run(["admin", "verify", "--data", data.path])
            #expect(verified.exitCode == 0, "\(verified.output)\(verified.errors)")
            // What the former main server signed can be ended.
            let admin = ["--url", new.url, "--credentials", main.adminFile]
            #expect(try HearthProgram.run(["keys", "signing", "list"] + admin).output.contains("former"))
            let retired = try HearthProgram.run(["keys", "signing", "retire", "former", "--yes"] + admin)
            #expect(retired.exitCode == 0, "\(retired.errors)")
            #expect(try device.renew(at: new.url) == 401)
            #expect(try !HearthProgram.run(["keys", "signing", "list"] + admin).output.contains("former"))
            // A follower that is started again by mistake changes nothing.
            let mistake = try HearthProgram.run(
                ["follow", main.url, "--data", data.path, "--port", "0"], environment: ["HEARTH_TOKEN": token])
            #expect(mistake.exitCode == 1)
            #expect(mistake.errors.contains("became that of a main server"))
        }
    }
}
