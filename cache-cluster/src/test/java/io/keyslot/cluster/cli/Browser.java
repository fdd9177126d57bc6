// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.awaitility.Awaitility.await;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.client.json.JsonReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A Chromium without a window, driven by the protocol of W3C WebDriver through its {@code chromedriver}. For one thread. */
final class Browser implements AutoCloseable {
    private static final String WANTED =
            "the profile thorough needs Chromium and its driver (apt-get install chromium chromium-driver), or a driver"
                    + " that the variable CHROMEDRIVER names";

    private static final Duration LONGEST_START = Duration.ofSeconds(30);
    private static final Duration LONGEST_SCRIPT = Duration.ofSeconds(60);
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(90);
    private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
    private static final Pattern SESSION = Pattern.compile("\"sessionId\":\"([^\"]+)\"");
    private static final List<String> ARGUMENTS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1200,1400");

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process driver;
    private final URI session;

    private Browser(Process driver, URI sessions) throws Exception {
        this.driver = driver;
        String made = send(
                "POST",
                sessions,
                Map.of(
                        "capabilities",
                        Map.of(
                                "alwaysMatch",
                                Map.of(
                                        "goog:chromeOptions",
                                        Map.of("args", ARGUMENTS),
                                        "timeouts",
                                        Map.of("script", LONGEST_SCRIPT.toMillis())))));
        Matcher id = SESSION.matcher(made);
        if (!id.find()) {
            throw new IOException("No session: " + made);
        }
        this.session = URI.create(sessions + "/" + id.group(1));
    }

    /**
     * Starts one, with the driver of the path; the variable {@code CHROMEDRIVER} names another.
     *
     * @param log what the driver says
     * @throws IllegalStateException if there is none, or no browser for it; it says what to install
     */
    static Browser start(Path log) throws Exception {
        Files.createDirectories(Objects.requireNonNull(log.getParent()));
        Process driver = driver(log);
        try {
            String port = await().atMost(LONGEST_START)
                    .until(() -> portIn(log, driver), Optional::isPresent)
                    .orElseThrow();
            return new Browser(driver, URI.create("http://127.0.0.1:%s/session".formatted(port)));
        } catch (Exception e) {
            driver.destroy();
            throw new IllegalStateException(
                    "Chromium was not started: %s. The driver's log is %s".formatted(WANTED, log), e);
        }
    }

    private static Process driver(Path log) {
        String program = Objects.requireNonNullElse(System.getenv("CHROMEDRIVER"), "chromedriver");
        try {
            return new ProcessBuilder(program, "--port=0")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("There is no program %s: %s".formatted(program, WANTED), e);
        }
    }

    private static Optional<String> portIn(Path log, Process driver) throws IOException {
        Matcher started = STARTED.matcher(Files.readString(log));
        if (started.find()) {
            return Optional.of(started.group(1));
        }
        if (!driver.isAlive()) {
            throw new IOException("chromedriver has ended");
        }
        return Optional.empty();
    }

    private String send(String method, URI uri, Map<String, ?> body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(LONGEST_ANSWER)
                .method(
                        method,
                        method.equals("POST")
                                ? HttpRequest.BodyPublishers.ofString(CanonicalJson.write(body))
                                : HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("%s: %s".formatted(uri, answer.body()));
        }
        return answer.body();
    }

    private @Nullable Object value(String method, String what, Map<String, ?> body) throws Exception {
        String answer = send(method, URI.create(session + what), body);
        return ((Map<?, ?>) Objects.requireNonNull(JsonReader.read(answer.getBytes(StandardCharsets.UTF_8))))
                .get("value");
    }

    void open(String address) throws Exception {
        Object unused = value("POST", "/url", Map.of("url", address));
    }

    /** Returns the text that a script gives. */
    String script(String script) throws Exception {
        return String.valueOf(value("POST", "/execute/sync", Map.of("script", script, "args", List.of())));
    }

    /** Returns the text that the promise of a script gives. */
    String promised(String expression) throws Exception {
        return String.valueOf(value(
                "POST",
                "/execute/async",
                Map.of("script", "const done = arguments[0]; (" + expression + ").then(done);", "args", List.of())));
    }

    /** Types, into what has the focus. */
    void type(String keys) throws Exception {
        List<Map<String, String>> actions = keys.codePoints()
                .mapToObj(Character::toString)
                .flatMap(key ->
                        List.of(Map.of("type", "keyDown", "value", key), Map.of("type", "keyUp", "value", key))
                                .stream())
                .toList();
        Object unused = value(
                "POST",
                "/actions",
                Map.of("actions", List.of(Map.of("type", "key", "id", "keyboard", "actions", actions))));
    }

    /** Chooses the colour scheme that the browser prefers: dark or light. */
    void prefer(String scheme) throws Exception {
        tell(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Gives the window another width, as a telephone has. */
    void narrow(int width) throws Exception {
        tell(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 1_400, "deviceScaleFactor", 1, "mobile", true));
    }

    /** Gives the window back its width. */
    void wide() throws Exception {
        tell("Emulation.clearDeviceMetricsOverride", Map.of());
    }

    private void tell(String command, Map<String, ?> parameters) throws Exception {
        Object unused = value("POST", "/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
    }

    /** Writes what is seen into a file. */
    void picture(Path file) throws Exception {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, Base64.getDecoder().decode(String.valueOf(value("GET", "/screenshot", Map.of()))));
    }

    @Override
    public void close() throws Exception {
        try {
            String unused = send("DELETE", session, Map.of());
        } finally {
            driver.destroy();
        }
    }
}
