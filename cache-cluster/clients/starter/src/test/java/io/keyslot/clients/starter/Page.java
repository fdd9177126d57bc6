// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.starter;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.context.ConfigurableApplicationContext;

/** The pages of an application, as a client sees them. */
final class Page {
    private final HttpClient client = HttpClient.newHttpClient();
    private final String root;

    Page(ConfigurableApplicationContext application) {
        this.root = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(root + path)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(root + path))
                        .POST(BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }
}
