import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.UUID;

/**
 * Delivers a scan: puts its bytes, inserts its row, reads back where it is.
 *
 * <pre>java -cp postgresql.jar Deliver.java SOURCE FILE MEDIA_TYPE</pre>
 *
 * DOCKET_URL (where Docket is served), DOCKET_TOKEN (of the role sender for that source) and PGHOST, PGPORT, PGUSER, PGPASSWORD,
 * PGDATABASE (the login of the source) are taken from the environment. Needs Java 17 and the JDBC driver of PostgreSQL alone.
 */
public final class Deliver {
  /** The answer of the server is JSON, which Postgres takes apart, so that no further library is needed. */
  private static final String INSERT =
      """
      insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at)
      select ?, decode(stored ->> 'sha256', 'hex'), stored ->> 'object', stored ->> 'version',
        (stored ->> 'size_bytes')::bigint, ?, ?
      from (select ?::json) as answer (stored)
      returning job_id
      """;

  public static void main(String[] arguments) throws Exception {
    String source = arguments[0];
    Path file = Path.of(arguments[1]);
    String mediaType = arguments[2];

    String stored = put(source, file);
    try (Connection connection = connect()) {
      UUID job;
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        insert.setString(1, source);
        insert.setString(2, mediaType);
        insert.setObject(3, Files.getLastModifiedTime(file).toInstant().atOffset(ZoneOffset.UTC));
        insert.setString(4, stored);
        try (ResultSet row = insert.executeQuery()) {
          row.next();
          job = row.getObject(1, UUID.class);
        }
      }
      try (PreparedStatement read = connection.prepareStatement("select state from docket.submissions where job_id = ?")) {
        read.setObject(1, job);
        try (ResultSet row = read.executeQuery()) {
          row.next();
          System.out.printf("{\"job_id\": \"%s\", \"state\": \"%s\", \"stored\": %s}%n", job, row.getString(1), stored);
        }
      }
    }
  }

  /** Has Docket seal and store the file. May be repeated: the same bytes give the same object. */
  private static String put(String source, Path file) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(environment("DOCKET_URL") + "/objects?source=" + URLEncoder.encode(source, StandardCharsets.UTF_8)))
            .header("authorization", "Bearer " + environment("DOCKET_TOKEN"))
            // What was damaged on the way is refused (RFC 9530).
            .header("content-digest", "sha-256=:" + Base64.getEncoder().encodeToString(sha256(file)) + ":")
            .timeout(Duration.ofMinutes(15))
            .PUT(HttpRequest.BodyPublishers.ofFile(file))
            .build();
    HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200 && response.statusCode() != 201) {
      throw new IllegalStateException(response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  private static byte[] sha256(Path file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (InputStream scan = Files.newInputStream(file)) {
      byte[] chunk = new byte[1 << 20];
      for (int read = scan.read(chunk); read >= 0; read = scan.read(chunk)) digest.update(chunk, 0, read);
    }
    return digest.digest();
  }

  private static Connection connect() throws Exception {
    String url = "jdbc:postgresql://%s:%s/%s".formatted(environment("PGHOST"), environment("PGPORT"), environment("PGDATABASE"));
    return DriverManager.getConnection(url, environment("PGUSER"), environment("PGPASSWORD"));
  }

  private static String environment(String name) {
    String value = System.getenv(name);
    if (value == null) throw new IllegalStateException(name + " is not set");
    return value;
  }
}
