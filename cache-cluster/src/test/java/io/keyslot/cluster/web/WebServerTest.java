// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strangers ask for too much, for what is elsewhere, and slowly. The server answers the others all the while. */
class WebServerTest {
    private static final String TOKEN = "a token of many characters";

    private final EventStreams streams = new EventStreams();
    private final SignIns signIns = new SignIns(TOKEN);
    private final HttpClient client = HttpClient.newHttpClient();

    @AutoClose
    private final WebServer server;

    WebServerTest() throws IOException {
        WebTable table = new WebTable()
                .get("/", request -> WebAnswer.json("\"the page\""))
                .get("/asked", request -> WebAnswer.json(request.asked("key")))
                .get(
                        "/secret",
                        request -> signIns.isSignedIn(request)
                                ? WebAnswer.json("\"secret\"")
                                : WebAnswer.refused(403, "no"))
                .post("/told", request -> WebAnswer.json(request.asked("what")))
                .get("/broken", request -> {
                    throw new IllegalStateException("as meant");
                })
                .events("/events");
        server = WebServer.open(0, table, streams);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(20));
    }

    private HttpResponse<String> sent(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Returns the first line of the answer, empty if the connection is closed without one. */
    private String raw(String text) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return line == null ? "" : line;
        } catch (SocketException reset) {
            return "";
        }
    }

    private void assertGoesOn() throws Exception {
        assertThat(sent(request("/")).body()).isEqualTo("\"the page\"");
    }

    private HttpRequest.Builder posted(String query) {
        return request("/told?" + query).POST(HttpRequest.BodyPublishers.noBody());
    }

    @Test
    void answers_sayThatNothingComesFromElsewhere() throws Exception {
        HttpResponse<String> answer = sent(request("/"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(sent(request("/asked?key=a%20%26b&other=c")).body()).isEqualTo("a &b");
        assertThat(sent(posted("other=c&what=a+b")).body()).isEqualTo("a b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../page",
                "/..",
                "//",
                "/./",
                "/%2e%2e/etc/passwd",
                "/..%2f..%2fetc/passwd",
                "/asked/",
                "/ASKED",
                "/asked;a=b",
                "/asked%00",
                "/WEB-INF",
                "/\\..\\x",
                "/io/keyslot/cluster/web/WebServer.class"
            })
    void pathsOutside_areNotFound(String path) throws Exception {
        assertThat(raw("GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path)))
                .matches("HTTP/1\\.1 40[04] .*");
        assertGoesOn();
    }

    @Test
    void pathsOfPieces_areNotFound() throws Exception {
        Random random = new Random(110);
        String[] pieces = {"..", "/", "%2e", "%2F", "asked", "secret", ".", "\\", ";", "%00", "file:", "etc", "%c0%af"};
        for (int i = 0; i < 300; i++) {
            StringBuilder path = new StringBuilder("/");
            for (int piece = 0; piece < 2 + random.nextInt(6); piece++) {
                path.append(pieces[random.nextInt(pieces.length)]);
            }
            if (!List.of("/asked", "/secret").contains(path.toString())) {
                assertThat(raw("GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path)))
                        .as(path.toString())
                        .matches("(HTTP/1\\.1 40[04] .*)?");
            }
        }
        assertGoesOn();
    }

    @ParameterizedTest
    @CsvSource({"PUT, /", "DELETE, /", "POST, /", "GET, /told", "POST, /events", "TRACE, /", "PATCH, /told"})
    void otherMethods_areRefused(String method, String path) throws Exception {
        assertThat(raw("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".formatted(method, path)))
                .startsWith("HTTP/1.1 405 ");
    }

    /** Whoever likes to could fill the log of the JDK's server. */
    @Test
    void head_isRefused_withoutAWarning() throws Exception {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler listener = new Handler() {
            @Override
            public void publish(LogRecord record) {
                warnings.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("com.sun.net.httpserver");
        log.addHandler(listener);
        try {
            assertThat(raw("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 405 ")
                    .doesNotContain("problem");
        } finally {
            log.removeHandler(listener);
        }
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "keyslot.example",
                "localhost.example:80",
                "127.0.0.1.example",
                "localhost:x",
                "10.0.0.1",
                "[::1"
            })
    void otherNamesOfThisMachine_areRefused(String host) throws Exception {
        assertThat(raw("GET / HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host))).matches("HTTP/1\\.1 40[03] .*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "localhost:9", "127.0.0.1", "127.0.0.1:65535", "[::1]", "[::1]:80"})
    void ownNames_areAnswered_atAnyPort(String host) throws Exception {
        assertThat(raw("GET / HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host))).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void pagesOfOthers_areRefused() throws Exception {
        String own = "http://127.0.0.1:" + server.port();

        assertThat(sent(posted("what=1").header("Origin", own)).statusCode()).isEqualTo(200);
        for (String origin :
                List.of("http://other.example", "null", "http://localhost:1", own + "1", "https" + own.substring(4))) {
            assertThat(sent(posted("what=1").header("Origin", origin)).statusCode())
                    .as(origin)
                    .isEqualTo(403);
        }
        assertThat(sent(request("/asked?key=1").header("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(sent(request("/asked?key=1").header("Sec-Fetch-Site", "same-site"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(sent(request("/").header("Sec-Fetch-Site", "cross-site")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void hugeRequests_areRefused() throws Exception {
        assertThat(raw("POST /told HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999\r\n\r\nwhat=1"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(raw("POST /told HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\nwhat=1"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(raw("POST /told HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\nwhat=1"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw("POST /told HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + "2000\r\n"
                        + "a".repeat(0x2000) + "\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(raw("GET /asked?key=%s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted("a".repeat(3_000))))
                .startsWith("HTTP/1.1 414 ");
        assertThat(raw("POST /told?what=% HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertGoesOn();
    }

    @Test
    void hugeHeaders_closeTheConnection() throws Exception {
        for (String beginning : List.of("GET /", "GET / HTTP/1.1\r\nHost: localhost\r\nA: ", "GET / HTTP/1.1\r\n")) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.setSoTimeout(20_000);
                OutputStream out = socket.getOutputStream();
                out.write(beginning.getBytes(StandardCharsets.US_ASCII));
                byte[] more = (beginning.endsWith("\n") ? "B: c\r\n" : "aaaaaa")
                        .repeat(10_000)
                        .getBytes(StandardCharsets.US_ASCII);
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 1_000; i++) {
                                out.write(more);
                            }
                        })
                        .as(beginning)
                        .isInstanceOf(IOException.class);
            }
        }
        assertGoesOn();
    }

    @Test
    void whatFails_isSaid_withoutItsReason() throws Exception {
        HttpResponse<String> answer = sent(request("/broken"));

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("as meant");
        assertGoesOn();
    }

    @Test
    void tokens_openWhatIsGuarded() throws Exception {
        assertThat(sent(request("/secret")).statusCode()).isEqualTo(403);
        for (String wrong :
                List.of("Bearer ", "Bearer x", "Basic " + TOKEN, TOKEN, "Bearer " + TOKEN + "x", "bearer")) {
            assertThat(sent(request("/secret").header("Authorization", wrong)).statusCode())
                    .as(wrong)
                    .isEqualTo(403);
        }
        assertThat(sent(request("/secret").header("Authorization", "Bearer " + TOKEN))
                        .body())
                .isEqualTo("\"secret\"");
        for (String cookie : List.of("keyslot-page=" + TOKEN, "Authorization=Bearer " + TOKEN, TOKEN)) {
            assertThat(sent(request("/secret").header("Cookie", cookie)).statusCode())
                    .as(cookie)
                    .isEqualTo(403);
        }
    }

    @Test
    void withoutAToken_nobodyIsSignedIn() {
        assertThat(new SignIns(null).isPossible()).isFalse();
        assertThatThrownBy(() -> new SignIns("short")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SignIns("a token that is Русский"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("Русский");
    }

    /** A stream of events, of which only the lines with something in them are read. */
    private final class Reader implements AutoCloseable {
        private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        private final BufferedReader lines;
        private final String status;

        Reader() throws IOException {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            status = String.valueOf(lines.readLine());
        }

        boolean isAdmitted() {
            return status.startsWith("HTTP/1.1 200 ");
        }

        /** Returns what is told next. */
        String data() throws IOException {
            String line = "";
            while (!line.startsWith("data: ")) {
                line = lines.readLine();
                if (line == null) {
                    throw new IOException("The stream has ended");
                }
            }
            return line.substring("data: ".length());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void headers_precedeTheFirstHeartbeat() throws Exception {
        try (Reader reader = new Reader()) {
            streams.publish("a", "1");
            List<String> received = new ArrayList<>();
            while (!received.contains("data: 1") && !received.contains("null")) {
                received.add(String.valueOf(reader.lines.readLine()));
            }
            assertThat(received).contains("data: 1").doesNotContain(": here");
        }
    }

    @Test
    void readers_hearTheNewestOfEachKind_andThenEverythingOnce() throws Exception {
        streams.publish("a", "1");
        streams.publish("b", "2");
        streams.publish("a", "3");
        try (Reader reader = new Reader()) {
            assertThat(List.of(reader.data(), reader.data())).containsExactlyInAnyOrder("3", "2");
            streams.publish("a", "3");
            streams.publish("a", "4");
            streams.publish("a", "5");
            assertThat(List.of(reader.data(), reader.data())).containsExactly("4", "5");
        }
        assertThat(streams.newest()).isEqualTo(Map.of("a", "5", "b", "2"));
    }

    @Test
    void twoHundredStreams_areRefusedBeyondTheBound_andThereIsRoomAgainAfterwards() throws Exception {
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            readers.add(new Reader());
        }

        assertThat(readers.stream().filter(Reader::isAdmitted)).hasSize(WebLimits.MOST_STREAMS);
        assertThat(readers.stream().filter(reader -> reader.status.startsWith("HTTP/1.1 503 ")))
                .hasSize(200 - WebLimits.MOST_STREAMS);
        assertThat(streams.size()).isEqualTo(WebLimits.MOST_STREAMS);
        assertGoesOn();
        streams.publish("a", "to all");
        for (Reader reader : readers) {
            if (reader.isAdmitted()) {
                assertThat(reader.data()).isEqualTo("to all");
            }
            reader.close();
        }
        AtomicInteger beats = new AtomicInteger();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            streams.publish("a", "beat " + beats.incrementAndGet());
            return streams.size() == 0;
        });
        try (Reader another = new Reader()) {
            assertThat(another.isAdmitted()).isTrue();
        }
    }

    @Test
    void slowReaders_areClosed_andOthersHearEverything() throws Exception {
        String large = "x".repeat(1 << 20);
        try (Reader slow = new Reader();
                Stream<String> lines = client.send(request("/events").build(), HttpResponse.BodyHandlers.ofLines())
                        .body()) {
            Iterator<String> quick =
                    lines.filter(line -> line.startsWith("data: ")).iterator();
            await().until(() -> streams.size() == 2);
            int told = 0;
            while (streams.size() == 2 && told < 100) {
                String next = told++ + large;
                streams.publish("a", next);
                assertThat(quick.next().equals("data: " + next)).isTrue();
            }

            assertThat(streams.size()).isEqualTo(1);
            assertThat(told).isBetween(WebLimits.MOST_WAITING_MESSAGES, 100);
            assertGoesOn();
            assertThatThrownBy(() -> {
                        while (true) {
                            assertThat(slow.data()).isNotEmpty();
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void closedServers_endTheirStreams() throws Exception {
        try (Reader reader = new Reader()) {
            assertThat(reader.isAdmitted()).isTrue();
            server.close();
            assertThatThrownBy(reader::data).isInstanceOf(IOException.class);
            assertThat(streams.size()).isZero();
        }
    }
}
