// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.clients.hibernate.Customer.Address;
import io.keyslot.clients.hibernate.Customer.Standing;
import java.math.BigDecimal;
import java.net.URI;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.stat.CacheRegionStatistics;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application that uses Hibernate. The subclasses say which engine holds its second level cache. */
@SuppressWarnings("NullAway.Init") // set before all tests
abstract class HibernateScenarios {
    private static final long ANNA = 1;
    private static final long BERT = 2;
    private static final String PREFIX = HibernateScenarios.class.getPackageName();

    /** One for all tests of a class. */
    private static SessionFactory factory;

    /** Opens a factory, on a database that is made anew or, by another factory of the same test, was made before. */
    static SessionFactory open(URI configuration, String database, boolean isNew) {
        return new Configuration()
                .addAnnotatedClass(Customer.class)
                .addAnnotatedClass(Purchase.class)
                .addAnnotatedClass(Payment.class)
                .addAnnotatedClass(Payment.ByCard.class)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1")
                .setProperty("hibernate.hbm2ddl.auto", isNew ? "create" : "none")
                .setProperty("hibernate.generate_statistics", "true")
                .setProperty("hibernate.session.events.log", "false")
                .setProperty("hibernate.cache.region.factory_class", "jcache")
                .setProperty("hibernate.cache.use_query_cache", "true")
                .setProperty("hibernate.javax.cache.missing_cache_strategy", "create")
                .setProperty("hibernate.javax.cache.uri", configuration.toString())
                .buildSessionFactory();
    }

    static void use(SessionFactory opened) {
        factory = opened;
    }

    @AfterAll
    static void closeFactory() {
        factory.close();
    }

    @BeforeEach
    void fillDatabase() {
        inTransaction(session -> {
            for (String table : List.of("Purchase", "Customer", "Payment")) {
                if (table.equals("Customer")) {
                    session.createNativeMutationQuery("delete from Customer_tags")
                            .executeUpdate();
                }
                session.createMutationQuery("delete from " + table).executeUpdate();
            }
        });
        inTransaction(session -> {
            Customer anna = new Customer(ANNA, "anna@acme.com", "Anna");
            anna.address = new Address("Main street", "Vienna");
            anna.tags.addAll(List.of("early", "loyal"));
            anna.purchases.add(new Purchase(anna, "vienna", 1, "book"));
            anna.purchases.add(new Purchase(anna, "vienna", 2, "pen"));
            Customer bert = new Customer(BERT, "bert@acme.com", "Bert");
            bert.standing = Standing.TRUSTED;
            bert.recommendedBy = anna;
            session.persist(anna);
            session.persist(bert);
        });
        factory.getCache().evictAllRegions();
        factory.getStatistics().clear();
    }

    @Test
    void entity_isReadFromTheCache() {
        load(session -> session.find(Customer.class, ANNA));
        clearStatistics();

        Customer anna = load(session -> session.find(Customer.class, ANNA));

        assertThat(statements()).isZero();
        assertThat(region("Customer").getHitCount()).isEqualTo(1);
        assertThat(anna.name).isEqualTo("Anna");
        assertThat(anna.credit).isEqualByComparingTo(new BigDecimal("12.50"));
        assertThat(anna.since).isEqualTo(LocalDate.of(2026, 2, 28));
        assertThat(anna.picture).containsExactly(1, 2, 3);
        assertThat(anna.standing).isEqualTo(Standing.NEW);
        assertThat(anna.address).isNotNull().extracting(address -> address.city).isEqualTo("Vienna");
        assertThat(anna.remark).isNull();
    }

    @Test
    void entityWithAReferenceToAnother_isReadFromTheCache() {
        String before = load(HibernateScenarios::nameOfWhoRecommendedBert);
        clearStatistics();

        String after = load(HibernateScenarios::nameOfWhoRecommendedBert);

        assertThat(statements()).isZero();
        assertThat(after).isEqualTo(before).isEqualTo("Anna");
    }

    @Test
    void entityWithACompositeKey_isReadFromTheCache() {
        Purchase.Key key = new Purchase.Key("vienna", 2);
        load(session -> session.find(Purchase.class, key));
        clearStatistics();

        String article = load(session -> session.find(Purchase.class, new Purchase.Key("vienna", 2)).article);

        assertThat(statements()).isZero();
        assertThat(article).isEqualTo("pen");
    }

    @Test
    void subclassOfAReadOnlyEntity_isReadFromTheCache() {
        UUID id = UUID.randomUUID();
        inTransaction(session -> session.persist(new Payment.ByCard(id, "4711")));
        load(session -> session.find(Payment.class, id));
        clearStatistics();

        Payment payment = load(session -> session.find(Payment.class, id));

        assertThat(statements()).isZero();
        assertThat(payment)
                .isInstanceOfSatisfying(
                        Payment.ByCard.class, byCard -> assertThat(byCard.card).isEqualTo("4711"));
    }

    @Test
    void collections_areReadFromTheCache() {
        Function<Session, List<String>> read = session -> {
            Customer anna = session.find(Customer.class, ANNA);
            return List.of(
                    anna.purchases.get(0).article,
                    anna.purchases.get(1).article,
                    String.join(",", anna.tags.stream().sorted().toList()));
        };
        load(read);
        clearStatistics();

        List<String> content = load(read);

        assertThat(statements()).isZero();
        assertThat(content).containsExactly("book", "pen", "early,loyal");
        assertThat(region("Customer.purchases").getHitCount()).isEqualTo(1);
        assertThat(region("Customer.tags").getHitCount()).isEqualTo(1);
    }

    @Test
    void changedCollection_isReadAgain() {
        load(session -> session.find(Customer.class, ANNA).purchases.size());
        inTransaction(session -> {
            Customer anna = session.find(Customer.class, ANNA);
            anna.purchases.add(new Purchase(anna, "graz", 3, "ink"));
            anna.tags.remove("early");
        });

        int purchases =
                load(session -> session.find(Customer.class, ANNA).purchases.size());
        List<String> tags = load(session -> List.copyOf(session.find(Customer.class, ANNA).tags));
        assertThat(purchases).isEqualTo(3);
        assertThat(tags).containsExactly("loyal");
    }

    @Test
    @SuppressWarnings("deprecation") // Version 7 has a second way, and version 6 only this one.
    void naturalId_isReadFromTheCache() {
        Function<Session, Customer> read =
                session -> session.bySimpleNaturalId(Customer.class).load("bert@acme.com");
        load(read);
        clearStatistics();

        Customer bert = load(read);

        assertThat(statements()).isZero();
        assertThat(bert.id).isEqualTo(BERT);
        assertThat(factory.getStatistics().getNaturalIdCacheHitCount()).isEqualTo(1);
    }

    @Test
    void query_isReadFromTheCache_withAllKindsOfParameters() {
        Function<Session, List<String>> read = session -> session.createSelectionQuery(
                        "select c.name from Customer c where c.standing = :standing and c.since >= :since"
                                + " and c.credit < :credit and c.name in (:names) order by c.name",
                        String.class)
                .setParameter("standing", Standing.TRUSTED)
                .setParameter("since", LocalDate.of(2026, 1, 1))
                .setParameter("credit", new BigDecimal("100.00"))
                .setParameterList("names", List.of("Anna", "Bert", "It's, (\"quoted\") {here}"))
                .setMaxResults(10)
                .setCacheable(true)
                .getResultList();
        load(read);
        clearStatistics();

        List<String> names = load(read);

        assertThat(statements()).isZero();
        assertThat(names).containsExactly("Bert");
        assertThat(factory.getStatistics().getQueryCacheHitCount()).isEqualTo(1);
    }

    @Test
    void queryOfEntitiesAndTuples_isReadFromTheCache() {
        Function<Session, List<Customer>> entities =
                session -> session.createSelectionQuery("from Customer order by id", Customer.class)
                        .setCacheable(true)
                        .getResultList();
        Function<Session, List<Object[]>> tuples = session -> session.createSelectionQuery(
                        "select c.id, c.name, c.standing, c.since, c.address from Customer c order by c.id",
                        Object[].class)
                .setCacheable(true)
                .getResultList();
        load(entities);
        load(tuples);
        clearStatistics();

        List<String> names =
                load(entities).stream().map(customer -> customer.name).toList();
        List<Object[]> rows = load(tuples);

        assertThat(statements()).isZero();
        assertThat(names).containsExactly("Anna", "Bert");
        assertThat(rows).hasSize(2);
        assertThat(rows.get(1)).startsWith(BERT, "Bert", Standing.TRUSTED, LocalDate.of(2026, 2, 28));
        assertThat(factory.getStatistics().getQueryCacheHitCount()).isEqualTo(2);
    }

    /** What the region of update timestamps is for. */
    @Test
    void queryOfAChangedTable_isAskedAgain() {
        Function<Session, Long> read =
                session -> session.createSelectionQuery("select count(*) from Customer", Long.class)
                        .setCacheable(true)
                        .getSingleResult();
        assertThat(load(read)).isEqualTo(2);
        inTransaction(session -> session.persist(new Customer(3, "carl@acme.com", "Carl")));
        clearStatistics();

        assertThat(load(read)).isEqualTo(3);
        assertThat(factory.getStatistics().getQueryCacheHitCount()).isZero();
        assertThat(load(read)).isEqualTo(3);
        assertThat(factory.getStatistics().getQueryCacheHitCount()).isEqualTo(1);
        assertThat(factory.getStatistics().getUpdateTimestampsCacheHitCount()).isPositive();
    }

    @Test
    void changedEntity_isReadWithItsChanges() {
        load(session -> session.find(Customer.class, ANNA));
        inTransaction(session -> {
            Customer anna = session.find(Customer.class, ANNA);
            anna.name = "Anna Maria";
            anna.remark = "renamed";
        });
        clearStatistics();

        Customer anna = load(session -> session.find(Customer.class, ANNA));

        assertThat(statements()).isZero();
        assertThat(anna.name).isEqualTo("Anna Maria");
        assertThat(anna.remark).isEqualTo("renamed");
        assertThat(anna.version).isEqualTo(1);
    }

    @Test
    void changeThatWasRolledBack_leavesWhatWasThere() {
        load(session -> session.find(Customer.class, ANNA));
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            session.find(Customer.class, ANNA).name = "nobody";
            session.flush();
            session.getTransaction().rollback();
        }

        assertThat(load(session -> session.find(Customer.class, ANNA)).name).isEqualTo("Anna");
    }

    @Test
    void removedEntity_isNotFound() {
        inTransaction(session -> session.persist(new Customer(9, "ida@acme.com", "Ida")));
        load(session -> session.find(Customer.class, 9L));
        inTransaction(session -> session.remove(session.find(Customer.class, 9L)));

        Optional<Customer> ida = load(session -> Optional.ofNullable(session.find(Customer.class, 9L)));
        assertThat(ida).isEmpty();
    }

    @Test
    void evictedEntity_isReadFromTheDatabase() {
        load(session -> session.find(Customer.class, ANNA));
        assertThat(factory.getCache().containsEntity(Customer.class, ANNA)).isTrue();

        factory.getCache().evictEntityData(Customer.class, ANNA);

        assertThat(factory.getCache().containsEntity(Customer.class, ANNA)).isFalse();
        clearStatistics();
        load(session -> session.find(Customer.class, ANNA));
        assertThat(statements()).isEqualTo(1);
    }

    private static String nameOfWhoRecommendedBert(Session session) {
        return Objects.requireNonNull(session.find(Customer.class, BERT).recommendedBy)
                .name();
    }

    static void inTransaction(Consumer<Session> work) {
        factory.inTransaction(work);
    }

    static <T> T load(Function<Session, T> read) {
        return load(factory, read);
    }

    static <T> T load(SessionFactory from, Function<Session, T> read) {
        return from.fromTransaction(read);
    }

    private static void clearStatistics() {
        factory.getStatistics().clear();
    }

    private static long statements() {
        return statistics().getPrepareStatementCount();
    }

    private static Statistics statistics() {
        return factory.getStatistics();
    }

    private static CacheRegionStatistics region(String name) {
        return statistics().getDomainDataRegionStatistics(PREFIX + '.' + name);
    }
}
