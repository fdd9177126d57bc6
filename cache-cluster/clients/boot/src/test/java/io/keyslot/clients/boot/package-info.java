// SPDX-License-Identifier: Apache-2.0
/** An application of Spring Boot. Compiled and run with each supported version, and with the Lettuce and Netty that it brings. */
@NullMarked
package io.keyslot.clients.boot;

import org.jspecify.annotations.NullMarked;
