// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.clients.boot.BookShop.Book;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** One of three servers is killed, and no request fails. */
class OutageBootIT {
    private static final int REQUESTS = 30;

    @Test
    void withAJournal_noRequestFails(@TempDir Path folder) throws Exception {
        try (LocalServers servers = LocalServers.create()) {
            String addresses = servers.start(3).stream().map(LocalServer::uri).collect(Collectors.joining(", "));
            Path file = Files.writeString(folder.resolve("keyslot.yaml"), """
                    partitions: [ %s ]
                    startup: { wait: 10s }
                    deadlines: { connect: 5s, call: 5s, command: 4s }
                    caches:
                      books: { missingPartitionWrites: journal }
                      bestsellers: { missingPartitionWrites: journal }
                      shelves: {}
                    codec:
                      allow: [ "io.keyslot.clients.boot.**" ]
                    """.formatted(addresses));
            try (ConfigurableApplicationContext application =
                    BookShop.start(file.toUri().toString())) {
                Books books = application.getBean(Books.class);
                for (long id = 0; id < REQUESTS; id++) {
                    books.find(id);
                }

                servers.servers().get(1).kill();

                for (int id = 0; id < REQUESTS; id++) {
                    assertThat(status(application, "/books/" + id)).isEqualTo(200);
                    assertThat(status(application, "/bestsellers/" + id)).isEqualTo(200);
                    books.store(new Book(id, "written", LocalDate.EPOCH, List.of()));
                    books.remove(id);
                    books.findNone("title " + id);
                }
            }
        }
    }

    private static int status(ConfigurableApplicationContext application, String path) throws Exception {
        String port = Objects.requireNonNull(application.getEnvironment().getProperty("local.server.port"));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }
}
