import HearthAdmin

// The file that a server writes at its first start, or that `hearth keys account create` writes.
let credentials = try AdminCredentials(serviceAccountFile: "admin-service-account.json")
let client = AdminClient(credentials)

// Large files are sent in parts, and an upload continues automatically after a broken connection.
let uploader = FileUploader(client: client, progress: { received, _ in print("\(received) bytes are on the server") })
let upload = try uploader.upload("flowers.tflite", name: "flowers.tflite")

// Releases the version to a tenth of the installations; `.all` releases it to every device, `.none` to none.
let outcome = try ModelPush(client: client).push("flowers", upload: upload, to: .release(share: 0.1))
print("version \(outcome.model.hearth?.version ?? 0)", outcome.contractChanges)
