// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Who logs in can be said by a bean. */
class CredentialsBeanTest {
    private static AnnotationConfigApplicationContext context(int port, CredentialsProvider... providers) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test",
                        Map.of(
                                "keyslot.partitions",
                                "redis://127.0.0.1:" + port,
                                "keyslot.startup.wait",
                                "0ms",
                                "keyslot.deadlines.connect",
                                "10s")));
        for (int i = 0; i < providers.length; i++) {
            CredentialsProvider provider = providers[i];
            context.registerBean("provider" + i, CredentialsProvider.class, () -> provider);
        }
        context.register(KeyslotAutoConfiguration.class);
        return context;
    }

    @Test
    void bean_isAskedForEachPartition_andWhatItSaysIsSentToTheServer() throws Exception {
        CompletableFuture<String> asked = new CompletableFuture<>();
        CredentialsProvider provider = partition -> {
            asked.complete(partition);
            return CompletableFuture.completedFuture(new Credentials("shop", "of-the-bean"));
        };
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                AnnotationConfigApplicationContext context = context(server.getLocalPort(), provider)) {
            // It blocks the JVM's common pool, which a login must not need.
            CompletableFuture<String> said = CompletableFuture.supplyAsync(() -> passwordSentTo(server));
            context.refresh();

            assertThat(said.get(30, TimeUnit.SECONDS)).isEqualTo("of-the-bean");
            assertThat(asked.get(30, TimeUnit.SECONDS)).as("the partition").isEqualTo("p1");
            assertThat(context.getBean(PartitionedCacheManager.class).getProperties())
                    .containsValue(provider);
        }
    }

    /** Reads as a server would, until there is the password. */
    private static String passwordSentTo(ServerSocket server) {
        try (Socket client = server.accept();
                BufferedReader sent =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
            String line = sent.readLine();
            while (line != null && !line.contains("of-the-bean")) {
                line = sent.readLine();
            }
            return String.valueOf(line);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void twoBeans_areRefused_asNobodyKnowsWhichCounts() {
        CredentialsProvider one = partition -> CompletableFuture.completedFuture(new Credentials("a", "b"));
        CredentialsProvider other = partition -> CompletableFuture.completedFuture(new Credentials("c", "d"));
        try (AnnotationConfigApplicationContext context = context(1, one, other)) {
            assertThatThrownBy(context::refresh).hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class);
        }
    }

    @Test
    void withoutOne_propertiesSayWhoLogsIn() {
        try (AnnotationConfigApplicationContext context = context(1)) {
            context.refresh();
            assertThat(context.getBean(PartitionedCacheManager.class).getProperties())
                    .doesNotContainKey("keyslot.credentials");
        }
    }
}
