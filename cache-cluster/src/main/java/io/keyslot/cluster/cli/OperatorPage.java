// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.plan.Measure;
import io.keyslot.cluster.web.SignIns;
import io.keyslot.cluster.web.WebAnswer;
import io.keyslot.cluster.web.WebHandler;
import io.keyslot.cluster.web.WebRequest;
import io.keyslot.cluster.web.WebServer;
import io.keyslot.cluster.web.WebTable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Assembles the page: its paths, and which of them need the token. */
record OperatorPage(ClusterWatch watch, SignIns signIns, WebServer server) implements AutoCloseable {
    private static final List<String> FILES =
            List.of("page.css", "page.js", "heat.js", "tables.js", "icon.svg", "alert.svg");

    /** The time between two load surveys, and about how many keys of each partition they read. */
    public record Rhythm(Duration every, long sample) {}

    /** Starts to read the cluster, and opens the page; throws IOException if the port is in use. Port 0 selects a free one. */
    public static OperatorPage open(int port, SignIns signIns, Rhythm rhythm, ConnectionOptions connection)
            throws IOException {
        ClusterWatch watch = new ClusterWatch(connection.options(), rhythm);
        OperatorRequests requests = new OperatorRequests(connection);
        WebTable table = new WebTable()
                .file("/", OperatorPage.class, "serve/index.html")
                .events("/api/events")
                .get("/api/state", request -> WebAnswer.json(watch.state()))
                .get("/api/hot", guarded(signIns, request -> survey(watch, PageViews::hot)))
                .get("/api/where", guarded(signIns, requests::where))
                .get("/api/session", request -> session(signIns, request))
                .post("/api/moves", guarded(signIns, requests::order));
        for (Measure by : Measure.values()) {
            table.get("/api/heat/" + by.word(), request -> survey(watch, survey -> PageViews.heat(survey, by)));
        }
        FILES.forEach(name -> table.file("/" + name, OperatorPage.class, "serve/" + name));
        try {
            return new OperatorPage(watch, signIns, WebServer.open(port, table, watch.streams()));
        } catch (IOException | RuntimeException e) {
            watch.close();
            throw e;
        }
    }

    private static WebAnswer survey(ClusterWatch watch, Function<SurveyedLoad, Map<String, ?>> view) {
        return watch.survey()
                .map(survey -> WebAnswer.json(view.apply(survey)))
                .orElseGet(() -> WebAnswer.refused(404, "Nothing was surveyed yet"));
    }

    private static WebHandler guarded(SignIns signIns, WebHandler handler) {
        return request -> signIns.isSignedIn(request)
                ? handler.answer(request)
                : WebAnswer.refused(
                        403, signIns.isPossible() ? "This takes the token" : "This page was opened without a token");
    }

    private static WebAnswer session(SignIns signIns, WebRequest request) {
        String version = new VersionProvider().getVersion()[0];
        boolean isSignedIn = signIns.isSignedIn(request);
        return WebAnswer.json(Map.of("isPossible", signIns.isPossible(), "isSignedIn", isSignedIn, "version", version));
    }

    public String address() {
        return server.address();
    }

    /** Returns whether there is a token, so that changes are possible. */
    public boolean mayChange() {
        return signIns.isPossible();
    }

    @Override
    public void close() {
        server.close();
        watch.close();
    }
}
