// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The second level cache on three real servers, with nothing but the application's package allowed. */
@SuppressWarnings("NullAway.Init") // set before all tests
class InstancesHibernateIT extends HibernateScenarios {
    private static TestServers servers;
    private static SessionFactory other;

    @BeforeAll
    static void openFactories(@TempDir Path folder) throws IOException {
        servers = TestServers.start(3);
        use(open(configuration(folder.resolve("one.yaml")).toUri(), "instances", true));
        // With a manager and connections of its own, as in another process.
        other = open(configuration(folder.resolve("other.yaml")).toUri(), "instances", false);
    }

    private static Path configuration(Path file) throws IOException {
        return Files.writeString(file, """
                partitions: [ %s ]
                startup: { wait: 10s }
                deadlines: { connect: 5s, call: 5s, command: 4s }
                codec:
                  allow: [ "io.keyslot.clients.hibernate.**" ]
                """.formatted(String.join(", ", servers.uris())));
    }

    @AfterAll
    static void endServers() throws Exception {
        other.close();
        servers.close();
    }

    @Test
    void whatOneProcessHasRead_anotherFindsInTheCache() {
        load(session -> session.find(Customer.class, 1L).purchases.size());
        load(InstancesHibernateIT::names);
        other.getStatistics().clear();

        String name = load(other, session -> session.find(Customer.class, 1L).name);
        int purchases = load(
                other, session -> session.find(Customer.class, 1L).purchases.size());
        List<String> names = load(other, InstancesHibernateIT::names);

        assertThat(other.getStatistics().getPrepareStatementCount()).isZero();
        assertThat(name).isEqualTo("Anna");
        assertThat(purchases).isEqualTo(2);
        assertThat(names).containsExactly("Anna", "Bert");
    }

    @Test
    void whatOneProcessChanges_anotherSees() {
        load(other, session -> session.find(Customer.class, 1L));
        load(other, InstancesHibernateIT::names);

        inTransaction(session -> session.find(Customer.class, 1L).name = "Anna Maria");

        assertThat(load(other, session -> session.find(Customer.class, 1L)).name)
                .isEqualTo("Anna Maria");
        assertThat(load(other, InstancesHibernateIT::names)).containsExactly("Anna Maria", "Bert");
    }

    private static List<String> names(org.hibernate.Session session) {
        return session.createSelectionQuery("select c.name from Customer c order by c.id", String.class)
                .setCacheable(true)
                .getResultList();
    }
}
