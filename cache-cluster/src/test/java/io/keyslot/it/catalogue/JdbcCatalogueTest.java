// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.catalogue.CatalogueContract;
import io.keyslot.client.catalogue.JdbcCatalogue;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.PartitionMap;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A catalogue in HSQLDB, or in the database of {@code -Dkeyslot.catalogue.jdbc}, with {@code -Dkeyslot.catalogue.user} and {@code
 * -Dkeyslot.catalogue.password}; its driver must be on the class path.
 */
class JdbcCatalogueTest extends CatalogueContract {
    private static final String URL = System.getProperty("keyslot.catalogue.jdbc", "jdbc:hsqldb:mem:catalogue");

    private final String namespace = UUID.randomUUID().toString();
    private final ExecutorService executor = Executors.newFixedThreadPool(2);

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                URL,
                System.getProperty("keyslot.catalogue.user", "SA"),
                System.getProperty("keyslot.catalogue.password", ""));
    }

    @BeforeEach
    void createTables() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String table : JdbcCatalogue.tables()) {
                try {
                    statement.execute(table);
                } catch (SQLException thereAlready) {
                    assertThat(thereAlready.getSQLState()).startsWith("42");
                }
            }
        }
    }

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    @Override
    protected Catalogue open() {
        return new JdbcCatalogue(JdbcCatalogueTest::connect, namespace, CONFIGURED, executor);
    }

    private static PartitionMap changed(PartitionMap map, String operation) {
        return map.next(new MapCommit(operation, "test", "why", Instant.EPOCH), content -> content);
    }

    @Test
    void withoutADatabase_nothingIsMade() {
        Catalogue catalogue = new JdbcCatalogue(
                () -> {
                    throw new SQLException("no route for secret", "08001");
                },
                namespace,
                CONFIGURED,
                executor);

        assertThat(catalogue.compareAndSet(changed(CONFIGURED, "a")).join())
                .isInstanceOfSatisfying(
                        CatalogueAnswer.Unavailable.class,
                        answer -> assertThat(answer.why()).contains("08001").doesNotContain("secret"));
        assertThat(catalogue.read().join()).isInstanceOf(CatalogueAnswer.Unavailable.class);
        assertThat(catalogue.copy().join()).isEmpty();
    }

    @Test
    void twoFirstChangesAtOnce_oneIsMade() {
        for (int round = 0; round < 20; round++) {
            String other = namespace + "/" + round;
            Catalogue catalogue = new JdbcCatalogue(JdbcCatalogueTest::connect, other, CONFIGURED, executor);
            CompletableFuture<CatalogueAnswer> one = catalogue.compareAndSet(changed(CONFIGURED, "one"));
            CompletableFuture<CatalogueAnswer> two = catalogue.compareAndSet(changed(CONFIGURED, "two"));
            CompletableFuture.allOf(one, two).join();

            assertThat(List.of(one.join(), two.join()))
                    .filteredOn(CatalogueAnswer.Ok.class::isInstance)
                    .hasSize(1);
        }
    }
}
