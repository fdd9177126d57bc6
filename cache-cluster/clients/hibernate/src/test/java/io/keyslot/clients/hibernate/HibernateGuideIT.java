// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part about Hibernate of {@code docs/getting-started.md} works as it is written there, but for the servers. */
class HibernateGuideIT {
    private static final Path GUIDE = Path.of("../../../docs/getting-started.md");
    private static final Pattern PARTITIONS = Pattern.compile("(?m)^partitions: .*$");

    @Test
    void entityOfTheGuide_isReadFromTheCache(@TempDir Path folder) throws Exception {
        String guide = Files.readString(GUIDE).split("\n## Hibernate\n", 2)[1];
        compile(Files.writeString(folder.resolve("Book.java"), block(guide, "java")), folder);
        Path yaml = Files.writeString(
                folder.resolve("keyslot.yaml"),
                PARTITIONS.matcher(block(guide, "yaml")).replaceFirst("partitions: 3"));
        Properties properties = new Properties();
        properties.load(new StringReader(block(guide, "properties")));

        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
                SessionFactory factory = open(properties, yaml, loader)) {
            Class<?> book = loader.loadClass("com.acme.shop.Book");
            factory.inTransaction(session -> persist(session, book));
            factory.getCache().evictAllRegions();

            assertThat(titleOf(factory, book)).isEqualTo("Momo");
            factory.getStatistics().clear();
            assertThat(titleOf(factory, book)).isEqualTo("Momo");
            assertThat(factory.getStatistics().getPrepareStatementCount()).isZero();
        }
    }

    private static SessionFactory open(Properties properties, Path yaml, ClassLoader loader) throws Exception {
        return new Configuration(new BootstrapServiceRegistryBuilder()
                        .applyClassLoader(loader)
                        .build())
                .addProperties(properties)
                .addAnnotatedClass(loader.loadClass("com.acme.shop.Book"))
                .setProperty("hibernate.javax.cache.uri", yaml.toUri().toString())
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:guide;DB_CLOSE_DELAY=-1")
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .setProperty("hibernate.generate_statistics", "true")
                .setProperty("hibernate.session.events.log", "false")
                .buildSessionFactory();
    }

    private static void persist(Session session, Class<?> type) {
        try {
            Object book = type.getConstructor().newInstance();
            type.getField("id").set(book, 7L);
            type.getField("title").set(book, "Momo");
            session.persist(book);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static Object titleOf(SessionFactory factory, Class<?> type) {
        return factory.fromTransaction(session -> {
            try {
                return type.getField("title").get(session.find(type, 7L));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        });
    }

    private static String block(String guide, String language) {
        return guide.split("```" + language + "\n", 2)[1].split("```", 2)[0];
    }

    private static void compile(Path source, Path target) {
        int failures = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", target.toString(), source.toString());
        assertThat(failures).isZero();
    }
}
