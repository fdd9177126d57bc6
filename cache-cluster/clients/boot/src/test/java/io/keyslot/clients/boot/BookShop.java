// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.boot;

import java.time.LocalDate;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A web application that caches books. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableCaching
class BookShop {
    /** Starts the application; {@code configuration} is the address of its keyslot.yaml. */
    static ConfigurableApplicationContext start(String configuration) {
        return new SpringApplication(BookShop.class)
                .run(
                        "--spring.cache.type=jcache",
                        "--spring.cache.jcache.config=" + configuration,
                        "--spring.main.banner-mode=off",
                        "--server.port=0",
                        "--management.endpoints.web.exposure.include=prometheus,health,metrics,caches",
                        "--logging.level.root=warn");
    }

    @Bean
    Books books() {
        return new Books();
    }

    record Book(long id, String title, LocalDate published, List<Author> authors) {}

    record Author(String name) {}

    enum Shelf {
        NOVELS,
        POEMS
    }

    @RestController
    static class Pages {
        private final Books books;

        Pages(Books books) {
            this.books = books;
        }

        @GetMapping("/books/{id}")
        String book(@PathVariable long id) {
            return books.find(id).title();
        }

        @GetMapping("/bestsellers/{id}")
        String bestseller(@PathVariable long id) {
            return books.findOnce(id).title();
        }
    }
}
